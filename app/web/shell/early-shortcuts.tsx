import { useEffect, useRef } from 'react'
import { isShortcutKey } from '#foundation/web/keyboard-only.ts'
import { lazyPart, useLoaded } from '#foundation/web/lazy-page.tsx'
import { isPaletteKey } from './palette-key.ts'

const Shortcuts = lazyPart(() => import('./shortcuts.tsx').then((file) => file.Shortcuts))

/** Handles the keyboard shortcuts. Their code is loaded after the page; keys that are pressed earlier are kept and handled then. */
export function EarlyShortcuts() {
  const there = useLoaded(Shortcuts)
  const early = useRef<KeyboardEvent[]>([])
  useEffect(() => {
    if (there) {
      for (const event of early.current.splice(0))
        if (performance.now() - event.timeStamp < MEANT_ms)
          window.dispatchEvent(new KeyboardEvent('keydown', event))
      return undefined
    }
    const keep = (event: KeyboardEvent) => {
      // Otherwise the browser would open its own search.
      if (isPaletteKey(event)) event.preventDefault()
      else if (!isShortcutKey(event)) return
      early.current.push(event)
    }
    window.addEventListener('keydown', keep)
    return () => window.removeEventListener('keydown', keep)
  }, [there])
  return there ? <Shortcuts /> : null
}

/** The time after which a pressed key is forgotten: nobody expects a page to move by a key from long ago. */
const MEANT_ms = 5000
