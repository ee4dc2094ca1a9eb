import { countStaffTickets, countUnread, listStaffTickets, listTickets } from '#features/tickets/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/live.ts'

const PAUSE_MS = 1000
let pausing: ReturnType<typeof setTimeout> | undefined
let missed = false

/**
 * At once, and then once a second at most: where fifty words a second are said, a list that asked anew for each would break off
 * every question before its answer.
 */
export function refreshLists(): void {
  if (pausing !== undefined) {
    missed = true
    return
  }
  for (const list of [listTickets, countUnread, listStaffTickets, countStaffTickets]) refreshQueries(list)
  pausing = setTimeout(() => {
    pausing = undefined
    if (missed) refreshLists()
  }, PAUSE_MS)
  missed = false
}

/** Lists and their counts follow what happens in tickets; the open chat follows by itself. */
export const live: readonly LiveReaction[] = [
  ['ticket.changed', refreshLists],
  ['message.created', refreshLists],
  ['message.read', refreshLists],
]
