/**
 * Calls back once the window has kept its size for a moment (row G-03): 100 ms where the layout changes, 50 ms where
 * something on the screen has to follow.
 */
export function onResize(listener: () => void, debounce_ms: 100 | 50): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(listener, debounce_ms)
  }
  window.addEventListener('resize', heard)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('resize', heard)
  }
}
