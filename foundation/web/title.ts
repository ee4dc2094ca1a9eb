import { useEffect, useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'

/** Titles the page by the thing it shows rather than by its kind: `Printer on fire · #1042`. Until it is known, undefined. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return undefined
    set(text)
    return () => set(undefined)
  }, [text])
}

/** The title that the page gave itself. */
export const useGivenTitle = (): string | undefined => useSyncExternalStore(listeners.add, () => given)

let given: string | undefined
const listeners = listenersOf()

function set(text: string | undefined): void {
  given = text
  listeners.notify()
}
