import { useSyncExternalStore } from 'react'

/** For the title of the window, which is outside of all pages. */
export const useUnreadInAll = (): number => useSyncExternalStore(subscribe, () => inAll)

let inAll = 0
const listeners = new Set<() => void>()

/** How many there are now, all together. */
export function setUnread(count: number): void {
  inAll = count
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
