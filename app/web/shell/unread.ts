import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useProfile } from '#features/profile/web/hooks.ts'
import { countStaffTickets, countUnread } from '#features/tickets/contract.ts'
import { reading } from '#foundation/web/api/query.ts'
import { tellUnread } from './unread-title.ts'

export type Unread = { user: number; staff: number }

/**
 * What waits to be read: in one's own tickets; and for staff what nobody has taken, with what was said in those that one
 * has.
 */
export function useUnread(): Unread {
  const isStaff = useProfile().data?.is_staff ?? false
  const { data: own } = useQuery(reading(countUnread))
  const { data: desk } = useQuery({ ...reading(countStaffTickets), enabled: isStaff })
  return { user: own?.count ?? 0, staff: isStaff && desk ? desk.incoming + desk.mine_unread : 0 }
}

/** The window's title tells of it too, so that a tab in the background does. */
export function useUnreadInTitle(): void {
  const { user, staff } = useUnread()
  useEffect(() => {
    tellUnread(user + staff)
    return () => tellUnread(0)
  }, [user, staff])
}
