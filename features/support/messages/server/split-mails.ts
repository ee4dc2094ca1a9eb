import type { PayloadOf } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { ticketSplit } from '#features/support/tickets/contract.ts'
import { lockReplyMail, takeOverReplyMail } from './split-mail-queries.ts'

type Split = PayloadOf<typeof ticketSplit>

/**
 * Replies that were split off are mailed from their new ticket as they would have been from the former one: those that wait keep the time at
 * which they are due, and those that went out are not mailed again.
 */
export async function moveReplyMail(
  _app: App,
  tx: Tx,
  { ticket_id, customer_id: user_id, made_id, comments }: Split,
): Promise<void> {
  const told = await lockReplyMail(tx, ticket_id)
  if (!told) return
  const mailed = comments.filter(({ customer_seq }) => customer_seq <= told.seq).length
  const reply_seq = comments.findLastIndex(({ by_staff }) => by_staff) + 1
  const waits = comments.slice(mailed).some(({ by_staff }) => by_staff)
  await takeOverReplyMail(tx, {
    from_id: ticket_id,
    ticket_id: made_id,
    user_id,
    seq: mailed,
    reply_seq,
    waits,
  })
}
