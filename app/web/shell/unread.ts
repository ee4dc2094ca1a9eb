import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { countUnread } from '#features/support/tickets/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { setUnread } from './unread-title.ts'

/** The unread count of one's own tickets. */
export const useUnread = (): number => useQuery(queryFor(countUnread)).data?.count ?? 0

/** The window's title shows it too, so that a tab in the background does. */
export function useUnreadInTitle(): void {
  const count = useUnread()
  useEffect(() => setUnread('user', count), [count])
}
