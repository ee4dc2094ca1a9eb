import { useSyncExternalStore } from 'react'

/** The count of unread messages for the title of the window, which is outside of all pages. */
export const useUnreadInAll = (): number => useSyncExternalStore(subscribe, () => counts.user + counts.staff)

const counts = { user: 0, staff: 0 }
const listeners = new Set<() => void>()

/** How many there are now for this reader; answers how to forget them. */
export function setUnread(reader: keyof typeof counts, count: number): () => void {
  counts[reader] = count
  for (const listener of listeners) listener()
  return () => {
    if (count > 0) setUnread(reader, 0)
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
