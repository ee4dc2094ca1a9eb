import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'

let asked: string | undefined
const listeners = listenersOf()

/** Asks before anything is confirmed: the link may be for the account of a stranger (rule 37). */
export function askToConfirm(key: string | undefined): void {
  asked = key
  listeners.notify()
}

/** The key that waits for an answer. */
export const useRequestedKey = (): string | undefined => useSyncExternalStore(listeners.add, () => asked)
