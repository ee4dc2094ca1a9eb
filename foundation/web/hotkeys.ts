import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'
import { isShortcutKey } from './keyboard-only.ts'

/** Handlers by shortcut: one key, such as `n` or `?`, as `event.key` names it, or two keys after each other, such as `g s`. */
type Hotkeys = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

/**
 * Handles keys without Ctrl or Alt while the component is shown. They are off while a person types or is in a menu or a
 * dialog. People can switch them off for good, because speech input would press them with each spoken word (WCAG 2.1.4).
 */
export function useHotkeys(keys: Hotkeys): void {
  const present = useRef(keys)
  // Layout effects, because a key is heard as soon as the component is seen: other effects run some time after that.
  useLayoutEffect(() => {
    present.current = keys
  })
  useLayoutEffect(() => {
    const mine = (name: string) => present.current[name]
    handlers.add(mine)
    if (handlers.size === 1) window.addEventListener('keydown', onKeyDown)
    return () => {
      handlers.delete(mine)
      if (handlers.size === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

/** The switch for these shortcuts. It is stored in this browser for all people who sign in here. */
export const hotkeys = {
  areOn: (): boolean => {
    try {
      return localStorage.getItem(STORED_AS) !== 'off'
    } catch {
      return true
    }
  },
  switchTo(on: boolean): void {
    try {
      if (on) localStorage.removeItem(STORED_AS)
      else localStorage.setItem(STORED_AS, 'off')
    } catch {
      // A browser that stores nothing leaves the shortcuts on.
    }
    listeners.notify()
  },
}

export const useHotkeysEnabled = (): boolean => useSyncExternalStore(listeners.add, hotkeys.areOn)

/** The second key of a sequence must follow the first within this time. */
const SEQUENCE_ms = 1500
const STORED_AS = 'letter_keys'

const handlers = new Set<(name: string) => Hotkeys[string]>()
const listeners = listenersOf()
let begun_ms = -Infinity

/** Calls the handlers of a key. The second key of a sequence such as `g t` triggers only the sequence, not the shortcut `t`. */
function onKeyDown(event: KeyboardEvent): void {
  if (!hotkeys.areOn() || !isShortcutKey(event)) return
  const second = event.timeStamp - begun_ms < SEQUENCE_ms
  begun_ms = event.key === 'g' && !second ? event.timeStamp : -Infinity
  const name = second ? `g ${event.key}` : event.key
  for (const handler of handlers) handler(name)?.(event)
}
