/** True from the moment at which a button of the mouse, or a finger, goes down until it is up again. */
let isPressed = false
const ends = ['pointerup', 'pointercancel'] as const
window.addEventListener('pointerdown', () => (isPressed = true), { capture: true })
for (const end of ends) window.addEventListener(end, () => (isPressed = false), { capture: true })

/**
 * Does work that changes what is under the pointer: at once, or after the press that goes on, which would be lost otherwise. After a press
 * that led to another page the work is left out.
 */
export function afterPress(work: () => void): void {
  if (!isPressed) return work()
  const { pathname } = window.location
  const over = new AbortController()
  const finish = () => {
    over.abort()
    // The click follows in the same task.
    setTimeout(() => {
      if (window.location.pathname === pathname) work()
    })
  }
  for (const end of ends) window.addEventListener(end, finish, { signal: over.signal })
}
