import type { Tx } from '#foundation/server/database/transaction.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { messagesByNumber, type MessageRow } from './message-queries.ts'
import type { TicketRow } from './queries.ts'

/** Returns a message by its number, in the count of the side that asks; customers find no note. Throws 404 where there is none. */
export async function messageNumbered(
  tx: Tx,
  { public_id: chat_id }: TicketRow,
  seq: number,
  { staff }: { staff: boolean },
): Promise<MessageRow> {
  const [row] = await messagesByNumber(tx, [{ chat_id, staff, seq }])
  if (!row) throw notFound()
  return row
}
