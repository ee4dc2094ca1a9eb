import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'

/** Returns the number of unread messages for the title of the window, which is rendered outside of all pages. */
export const useUnreadInAll = (): number =>
  useSyncExternalStore(listeners.add, () => counts.user + counts.staff)

const counts = { user: 0, staff: 0 }
const listeners = listenersOf()

/** Sets the number of unread messages of the user's own tickets, or of the desk of staff. Returns a function that sets it to 0. */
export function setUnread(reader: keyof typeof counts, count: number): () => void {
  counts[reader] = count
  listeners.notify()
  return () => {
    if (count > 0) setUnread(reader, 0)
  }
}
