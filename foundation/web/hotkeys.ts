import { useEffect, useRef, useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'
import { isShortcutKey } from './keyboard-only.ts'

/** The shortcuts: `n` or `?`, as `event.key` names them, or two after each other: `g s`. */
export type Hotkeys = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

/**
 * Keys without Ctrl or Alt, while the component is shown. They are off while somebody types or is in a menu or a
 * dialog, and altogether for people who switched them off: one who speaks to the computer would press them by speaking
 * (WCAG 2.1.4).
 */
export function useHotkeys(keys: Hotkeys): void {
  const present = useRef(keys)
  useEffect(() => {
    present.current = keys
  })
  useEffect(() => {
    const mine = (name: string) => present.current[name]
    handlers.add(mine)
    if (handlers.size === 1) window.addEventListener('keydown', onKeyDown)
    return () => {
      handlers.delete(mine)
      if (handlers.size === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

/** True where this browser's user wants such shortcuts; kept in this browser, also when somebody else signs in. */
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

/** The second key of a sequence must follow in this time: for so long a person remembers the first. */
const SEQUENCE_ms = 1500
const STORED_AS = 'letter_keys'

const handlers = new Set<(name: string) => Hotkeys[string]>()
const listeners = listenersOf()
let begun_ms = -Infinity

/** A sequence such as `g t` goes to a page; its `t` triggers no shortcut of its own. */
function onKeyDown(event: KeyboardEvent): void {
  if (!hotkeys.areOn() || !isShortcutKey(event)) return
  const second = event.timeStamp - begun_ms < SEQUENCE_ms
  begun_ms = event.key === 'g' && !second ? event.timeStamp : -Infinity
  const name = second ? `g ${event.key}` : event.key
  for (const handler of handlers) handler(name)?.(event)
}
