import { useSyncExternalStore } from 'react'

/** The count of unread messages for the title of the window, which is outside of all pages. */
export const useUnreadInAll = (): number => useSyncExternalStore(subscribe, () => counts.user + counts.staff)

const counts = { user: 0, staff: 0 }
const listeners = new Set<() => void>()

/** Sets the number of unread messages of this reader. Returns a function that sets it to 0. */
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
