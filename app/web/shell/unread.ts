import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { countUnread } from '#features/support/tickets/contract.ts'
import { keyOf, queryClient, queryFor } from '#foundation/web/api/query.ts'
import { useShown } from '#foundation/web/lazy-page.tsx'
import { setUnread } from './unread-title.ts'

/** The unread count of one's own tickets, asked for when the first page has shown, which a call would hold up. */
export function useUnread(): number {
  const enabled = useShown(() => queryClient.getQueryData(keyOf(countUnread)) !== undefined)
  return useQuery({ ...queryFor(countUnread), enabled }).data?.count ?? 0
}

/** The window's title shows it too, so that a tab in the background does. */
export function useUnreadInTitle(): void {
  const count = useUnread()
  useEffect(() => setUnread('user', count), [count])
}
