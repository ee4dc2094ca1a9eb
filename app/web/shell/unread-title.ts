import { useSyncExternalStore } from 'react'

/** For the title of the window, which stands outside of all pages. */
export const useUnreadInAll = (): number => useSyncExternalStore(subscribe, () => inAll)

/** The server counts no further than somewhere, and nobody needs to know more exactly. */
export const shownCount = (count: number): string => (count >= 100 ? '99+' : String(count))

let inAll = 0
const listeners = new Set<() => void>()

/** How many there are now, all together. */
export function tellUnread(count: number): void {
  inAll = count
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
