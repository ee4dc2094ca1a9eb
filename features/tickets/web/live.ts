import { countStaffTickets, listStaffTickets, listTickets } from '#features/tickets/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/live.ts'

const refreshLists = () => {
  for (const list of [listTickets, listStaffTickets, countStaffTickets]) refreshQueries(list)
}

/** Lists and their counts follow what happens in tickets; the open chat follows by itself. */
export const live: readonly LiveReaction[] = [
  ['ticket.changed', refreshLists],
  ['message.created', refreshLists],
  ['message.read', refreshLists],
]
