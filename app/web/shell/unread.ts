import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { countUnread } from '#features/support/tickets/contract.ts'
import { keyOf, queryClient, queryFor } from '#foundation/web/api/query.ts'
import { useShown } from '#foundation/web/lazy-page.tsx'
import { setUnread } from './unread-title.ts'

/** Returns the number of unread messages in the user's own tickets. It is loaded after the first page has shown, so as not to delay it. */
export function useUnread(): number {
  const enabled = useShown(() => queryClient.getQueryData(keyOf(countUnread)) !== undefined)
  return useQuery({ ...queryFor(countUnread), enabled }).data?.count ?? 0
}

/** Shows the number in the window's title, too, so that people see it while the tab is in the background. */
export function useUnreadInTitle(): void {
  const count = useUnread()
  useEffect(() => setUnread('user', count), [count])
}
