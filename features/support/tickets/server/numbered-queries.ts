import type { Tx } from '#foundation/server/database/transaction.ts'
import type { TicketRow } from './queries.ts'

/** Locks and returns the ticket with a number, as it stands in mails and on pages. */
export const lockTicketNumbered = (tx: Tx, number: number): Promise<TicketRow | undefined> =>
  tx.selectFrom('tickets').selectAll().where('number', '=', number).forUpdate().executeTakeFirst()
