import { useSyncExternalStore } from 'react'

let asked: string | undefined
let onChange = () => {}

/** Asks before anything is confirmed: the link may be for the account of a stranger (rule 37). */
export function askToConfirm(key: string | undefined): void {
  asked = key
  onChange()
}

/** The key that waits for an answer. */
export const useRequestedKey = (): string | undefined =>
  useSyncExternalStore(
    (listener) => {
      onChange = listener
      return () => {}
    },
    () => asked,
  )
