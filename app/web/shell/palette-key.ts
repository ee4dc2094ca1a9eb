import { useEffect, useRef } from 'react'

/** The shortcut of the palette, in the words of the keyboard of this machine. */
export const paletteKey = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl+K'

/** Asks for the palette when its button is pressed. A request that comes before the first listener is kept for it. */
export const askForPalette = (): void => {
  requestedEarly = listeners.size === 0
  for (const listener of listeners) listener()
}

export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'
}

/** Calls `byButton` when a button asks for the palette, and `byKey` on Ctrl+K or ⌘K, also while a person types in a field. */
export function usePaletteRequested({ byKey, byButton }: { byKey: () => void; byButton: () => void }): void {
  const present = useRef({ byKey, byButton })
  useEffect(() => {
    present.current = { byKey, byButton }
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return
      event.preventDefault()
      present.current.byKey()
    }
    const asked = () => present.current.byButton()
    listeners.add(asked)
    if (requestedEarly) asked()
    requestedEarly = false
    window.addEventListener('keydown', pressed)
    return () => {
      listeners.delete(asked)
      window.removeEventListener('keydown', pressed)
    }
  }, [])
}

const listeners = new Set<() => void>()
let requestedEarly = false
