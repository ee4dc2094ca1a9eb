import { ABSENCES } from '#features/support/desk/absence-contract.ts'
import { countStaffTickets, listColleagues, listStaffTickets } from '#features/support/desk/contract.ts'
import { listViews, VIEWS } from '#features/support/desk/view-contract.ts'
import { HELD_MAILS } from '#features/support/mail/contract.ts'
import { MESSAGE_CREATED, MESSAGE_READ, TICKET_CHANGED } from '#features/support/tickets/contract.ts'
import { addTicketList } from '#features/support/tickets/web/ticket-lists.ts'
import {
  COUNT_PAUSE_MS,
  LIST_PAUSE_MS,
  paced,
  unlessRead,
  type TicketEvent,
} from '#features/support/tickets/web/unread.ts'
import { keyOf, queryClient, refreshQueries } from '#foundation/web/api/query.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

addTicketList(() => refreshQueries(listStaffTickets))

/** Keeps the desk's list and counts up to date: the list is loaded again while it is visible, the counts if they may have changed. */
export const live: readonly LiveReaction[] = [
  ...[MESSAGE_CREATED, MESSAGE_READ, TICKET_CHANGED].map(
    (type) => [type, (event: TicketEvent) => follow(type, event)] as const,
  ),
  [HELD_MAILS, () => refreshCounts()],
  [ABSENCES, () => refreshQueries(listColleagues)],
  [VIEWS, () => refreshQueries(listViews)],
]

function follow(type: string, event: TicketEvent): void {
  const { staff, concerns, kind, moved } = event
  const me = storedSession.user()?.id
  const by_me = event['by'] === me
  if (type === MESSAGE_READ) {
    if (!by_me) return
    refreshList()
    if (unread() > 0) refreshCounts()
    return
  }
  if (staff !== true) return
  const moves = type === TICKET_CHANGED || moved === true
  refreshList()
  if (concerns === 'all' || (moves && isInSight())) refreshCounts()
  else if (kind === 'event' || !Array.isArray(concerns) || !concerns.includes(me)) return
  else if (moves && !by_me && type === TICKET_CHANGED) refreshCounts()
  else if (!by_me) unlessRead(event, refreshCounts)
  else if (unread() > 0) refreshCounts()
}

const isInSight = (): boolean =>
  queryClient.getQueryCache().findAll({ queryKey: keyOf(listStaffTickets), type: 'active' }).length > 0

const unread = () =>
  queryClient.getQueryData<{ mine_unread: number }>(keyOf(countStaffTickets))?.mine_unread ?? 0

const refreshList = paced(LIST_PAUSE_MS, () => refreshQueries(listStaffTickets))
const refreshCounts = paced(COUNT_PAUSE_MS, () => refreshQueries(countStaffTickets))
