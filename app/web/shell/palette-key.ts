import { useEffect, useRef } from 'react'

/** As keyboards of this machine call it. */
export const paletteKey = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl+K'

/** Asks for the palette from wherever there is a button for it. */
export const askForPalette = (): void => {
  for (const listener of listeners) listener()
}

/** Told when a button asks for the palette, or Ctrl or ⌘ with K; that also while one writes: it is what Ctrl is for. */
export function usePaletteAsked({ byKey, byButton }: { byKey: () => void; byButton: () => void }): void {
  const present = useRef({ byKey, byButton })
  useEffect(() => {
    present.current = { byKey, byButton }
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const modified = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!modified || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      present.current.byKey()
    }
    const asked = () => present.current.byButton()
    listeners.add(asked)
    window.addEventListener('keydown', pressed)
    return () => {
      listeners.delete(asked)
      window.removeEventListener('keydown', pressed)
    }
  }, [])
}

const listeners = new Set<() => void>()
