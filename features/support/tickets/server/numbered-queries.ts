import type { Tx } from '#foundation/server/database/transaction.ts'
import type { TicketRow } from './queries.ts'

/** Locks and returns the ticket with a number, as it stands in mails and on pages. */
export const lockTicketNumbered = (tx: Tx, number: number): Promise<TicketRow | undefined> =>
  tx.selectFrom('tickets').selectAll().where('number', '=', number).forUpdate().executeTakeFirst()

/** Returns the id under which the pages of a ticket are reached. */
export async function chatIdOf(tx: Tx, id: bigint): Promise<string> {
  const { public_id } = await tx
    .selectFrom('tickets')
    .select('public_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return public_id
}

export async function idOfNumber(tx: Tx, number: number): Promise<bigint | undefined> {
  const row = await tx.selectFrom('tickets').select('id').where('number', '=', number).executeTakeFirst()
  return row?.id
}
