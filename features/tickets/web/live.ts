import {
  countStaffTickets,
  countUnread,
  getTicket,
  listStaffTickets,
  listTickets,
  MESSAGE_CREATED,
  MESSAGE_READ,
  TICKET_CHANGED,
} from '#features/tickets/contract.ts'
import { keyOf, queryClient, refreshQueries } from '#foundation/web/api/query.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import type { LiveReaction } from '#foundation/web/realtime/live.ts'

type Heard = Readonly<Record<string, unknown>>

/** How often lists and counts are asked for at most: where fifty words a second are said, a question at each would break off the one before. */
const LIST_PAUSE_MS = 1000
const COUNT_PAUSE_MS = 5000
/** A message in a chat that one looks at is read by then. */
const LOOKING_MS = 3000

/**
 * Lists and counts follow what happens in tickets; the open chat follows by itself. Only a list that is in sight is asked for,
 * and a count only where it may have changed for this reader.
 */
export const live: readonly LiveReaction[] = [MESSAGE_CREATED, MESSAGE_READ, TICKET_CHANGED].map(
  (type) => [type, (event: Heard) => heed(type, event)] as const,
)

function heed(type: string, event: Heard): void {
  const by_me = event['by'] === storedSession.user()?.id
  if (type === MESSAGE_READ) {
    if (by_me) [refreshOwn, refreshDesk].forEach((refresh) => refresh())
    if (by_me && ownUnread() > 0) countOwn()
    if (by_me && deskUnread() > 0) countDesk()
    return
  }
  if (event['staff'] === true) heedAsStaff(type, event, by_me)
  else heedAsCustomer(type, event, by_me)
}

function heedAsCustomer(type: string, event: Heard, by_me: boolean): void {
  refreshOwn()
  if (type === TICKET_CHANGED || event['kind'] === 'event') return
  if (!by_me) unlessRead(event, countOwn)
  else if (ownUnread() > 0) countOwn()
}

function heedAsStaff(type: string, event: Heard, by_me: boolean): void {
  const { concerns, kind, moved } = event
  const me = storedSession.user()?.id
  const moves = type === TICKET_CHANGED || moved === true
  refreshDesk()
  if (concerns === 'all' || (moves && isInSight(listStaffTickets))) countDesk()
  else if (kind === 'event' || !Array.isArray(concerns) || !concerns.includes(me)) return
  else if (moves && !by_me && type === TICKET_CHANGED) countDesk()
  else if (!by_me) unlessRead(event, countDesk)
  else if (deskUnread() > 0) countDesk()
}

/** Counts at once, but for a chat that one looks at only when the message is still unread after a while. */
function unlessRead({ chat_id, seq }: Heard, count: () => void): void {
  const queryKey = keyOf(getTicket, { params: { chatId: chat_id } })
  const isOpen = queryClient.getQueryCache().find({ queryKey })?.isActive() ?? false
  if (!isOpen || document.visibilityState !== 'visible' || !document.hasFocus()) return count()
  queryClient.setQueryData<Unread>(
    queryKey,
    (ticket) => ticket && { ...ticket, unread: ticket.unread + 1, last_seq: Number(seq) },
  )
  setTimeout(() => {
    if ((queryClient.getQueryData<Unread>(queryKey)?.unread ?? 1) > 0) count()
  }, LOOKING_MS)
}

type Unread = { unread: number; last_seq: number }

const ownUnread = () => queryClient.getQueryData<{ count: number }>(keyOf(countUnread))?.count ?? 0
const deskUnread = () =>
  queryClient.getQueryData<{ mine_unread: number }>(keyOf(countStaffTickets))?.mine_unread ?? 0

const isInSight = (route: typeof listTickets | typeof listStaffTickets): boolean =>
  queryClient.getQueryCache().findAll({ queryKey: keyOf(route), type: 'active' }).length > 0

const refreshOwn = paced(LIST_PAUSE_MS, () => refreshQueries(listTickets))
const refreshDesk = paced(LIST_PAUSE_MS, () => refreshQueries(listStaffTickets))
const countOwn = paced(COUNT_PAUSE_MS, () => refreshQueries(countUnread))
const countDesk = paced(COUNT_PAUSE_MS, () => refreshQueries(countStaffTickets))

/** Does it at once, then once in so long at most, and after the last time it was asked once more. */
export function paced(pause_ms: number, work: () => void): () => void {
  let pausing: ReturnType<typeof setTimeout> | undefined
  let missed = false
  const ask = (): void => {
    missed = pausing !== undefined
    if (missed) return
    work()
    pausing = setTimeout(() => {
      pausing = undefined
      if (missed) ask()
    }, pause_ms)
  }
  return ask
}
