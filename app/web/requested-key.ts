import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'

let asked: string | undefined
const listeners = listenersOf()

/** Asks the person if the key may be confirmed: its link may be for the account of a stranger (rule 37). Undefined ends the question. */
export function askToConfirm(key: string | undefined): void {
  asked = key
  listeners.notify()
}

/** Returns the key that waits for the person's answer. */
export const useRequestedKey = (): string | undefined => useSyncExternalStore(listeners.add, () => asked)
