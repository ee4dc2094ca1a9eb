import {
  countUnread,
  listTickets,
  MESSAGE_CREATED,
  MESSAGE_READ,
  TICKET_CHANGED,
} from '#features/support/tickets/contract.ts'
import { keyOf, queryClient, refreshQueries } from '#foundation/web/api/query.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { COUNT_PAUSE_MS, LIST_PAUSE_MS, paced, unlessRead, type TicketEvent } from './unread.ts'

/**
 * Keeps the customer's list of tickets and their unread count up to date; the open chat follows events by itself. Only a visible list is
 * loaded again, and the count only if it may have changed for this reader.
 */
export const live: readonly LiveReaction[] = [MESSAGE_CREATED, MESSAGE_READ, TICKET_CHANGED].map(
  (type) => [type, (event: TicketEvent) => follow(type, event)] as const,
)

function follow(type: string, event: TicketEvent): void {
  const by_me = event['by'] === storedSession.user()?.id
  if (type === MESSAGE_READ) {
    if (!by_me) return
    refreshList()
    if (unread() > 0) refreshCount()
    return
  }
  if (event['staff'] === true) return
  refreshList()
  if (type === TICKET_CHANGED || event['kind'] === 'event') return
  if (!by_me) unlessRead(event, refreshCount)
  else if (unread() > 0) refreshCount()
}

const unread = () => queryClient.getQueryData<{ count: number }>(keyOf(countUnread))?.count ?? 0
const refreshList = paced(LIST_PAUSE_MS, () => refreshQueries(listTickets))
const refreshCount = paced(COUNT_PAUSE_MS, () => refreshQueries(countUnread))
