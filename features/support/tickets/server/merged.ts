import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { topicsFor } from '#features/support/tickets/rules.ts'
import { lockTicketById, type TicketRow } from './queries.ts'

/**
 * Returns the ticket in which a message of the customer's side lands, locked: the one into which this one was merged, at the end of the
 * chain. It is this one itself where the other went to another account, and for a helper whose grant does not open the other.
 */
export async function whereLands({ acting }: App, tx: Tx, ticket: TicketRow): Promise<TicketRow> {
  let last = ticket
  for (let next = ticket.merged_into_id; next !== null; next = last.merged_into_id) {
    const row = await lockTicketById(tx, next)
    if (!row || row.user_id !== ticket.user_id) return ticket
    last = row
  }
  if (last === ticket || !acting) return last
  const isOpen =
    topicsFor(acting.role).includes(last.topic) && (await acting.opensTicket(tx, last.host_public_id))
  return isOpen ? last : ticket
}
