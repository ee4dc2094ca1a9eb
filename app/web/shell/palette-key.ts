import { useEffect, useRef } from 'react'

/** The shortcut of the palette, as keyboards of this machine call it. */
export const paletteKey = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl+K'

/** Asks for the palette from wherever there is a button for it, also before there is a listener. */
export const askForPalette = (): void => {
  requestedEarly = listeners.size === 0
  for (const listener of listeners) listener()
}

export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'
}

/** Called when a button asks for the palette, or Ctrl or ⌘ with K, also while typing: that is what Ctrl is for. */
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
