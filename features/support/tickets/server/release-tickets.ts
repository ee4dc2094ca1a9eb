import type { Tx } from '#foundation/server/database/transaction.ts'
import { afterUnassigning } from '#features/support/tickets/rules.ts'
import { writeEvent } from './event-lines.ts'
import { publishTicketChanged } from './publish.ts'
import * as queries from './queries.ts'
import { stateOf } from './write-message.ts'

/** Gives all open tickets of somebody who leaves the staff back to the incoming ones; returns how many. */
export async function releaseTicketsOf(tx: Tx, user_id: string): Promise<number> {
  const rows = await queries.lockTicketsOfAssignee(tx, user_id)
  for (const row of rows) {
    await queries.updateTicket(tx, row.id, afterUnassigning())
    await writeEvent(tx, row, { code: 'given_back', params: {} }, 'system')
    await publishTicketChanged(tx, row, stateOf(row), { ...stateOf(row), ...afterUnassigning() })
  }
  return rows.length
}
