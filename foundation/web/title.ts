import { useEffect, useSyncExternalStore } from 'react'

/** Titles the page by the thing it shows rather than by its kind: `Printer on fire · #1042`. Until it is known, undefined. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return undefined
    set(text)
    return () => set(undefined)
  }, [text])
}

/** The title that the page gave itself. */
export const useGivenTitle = (): string | undefined => useSyncExternalStore(subscribe, () => given)

let given: string | undefined
const listeners = new Set<() => void>()

function set(text: string | undefined): void {
  given = text
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
