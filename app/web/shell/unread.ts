import { countStaffTickets } from '#features/support/desk/contract.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useProfile } from '#features/profile/web/hooks.ts'
import { countUnread } from '#features/support/tickets/contract.ts'
import { useMayWork } from '#features/team/web/staff-me.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { setUnread } from './unread-title.ts'

export type Unread = { user: number; staff: number }

/**
 * The unread count: one's own tickets; for staff also unassigned tickets, with the messages in those that one
 * has.
 */
export function useUnread(): Unread {
  const isStaff = useProfile().data?.is_staff ?? false
  const { data: own } = useQuery(queryFor(countUnread))
  const { data: desk } = useQuery({ ...queryFor(countStaffTickets), enabled: useMayWork(isStaff) })
  return { user: own?.count ?? 0, staff: isStaff && desk ? desk.incoming + desk.mine_unread : 0 }
}

/** The window's title shows it too, so that a tab in the background does. */
export function useUnreadInTitle(): void {
  const { user, staff } = useUnread()
  useEffect(() => {
    setUnread(user + staff)
    return () => setUnread(0)
  }, [user, staff])
}
