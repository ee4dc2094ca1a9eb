import { useEffect, useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'

/** Sets the title of the page, such as the name of what it shows: `Printer on fire · #1042`. Pass undefined until it is known. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return undefined
    set(text)
    return () => set(undefined)
  }, [text])
}

/** Returns the title that the page has set with `useTitle`. */
export const useGivenTitle = (): string | undefined => useSyncExternalStore(listeners.add, () => given)

let given: string | undefined
const listeners = listenersOf()

function set(text: string | undefined): void {
  given = text
  listeners.notify()
}
