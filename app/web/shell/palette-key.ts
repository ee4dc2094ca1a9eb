import { useLayoutEffect, useRef } from 'react'

/** The shortcut of the palette, as the keyboard of this machine names its keys. */
export const paletteKey = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl+K'

/** Opens the palette when its button is pressed. If the code of the palette is not loaded yet, it opens once it is. */
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
  useLayoutEffect(() => {
    present.current = { byKey, byButton }
  })
  useLayoutEffect(() => {
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
