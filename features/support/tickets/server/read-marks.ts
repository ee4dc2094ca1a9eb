import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import * as contract from '#features/support/tickets/contract.ts'
import * as messages from './message-queries.ts'
import { publishToTicketReaders } from './publish.ts'
import type { TicketRow } from './queries.ts'

/** Raises the mark up to which a reader has read the ticket; false if the mark has reached that message already. */
export async function raiseMark(
  app: App,
  tx: Tx,
  ticket: TicketRow,
  mark: messages.ReadMark,
): Promise<boolean> {
  const moved = await messages.moveMark(tx, ticket.id, mark)
  if (moved && (mark.is_helper || mark.user_id === ticket.user_id))
    await emit(app, tx, contract.ticketRead, {
      ticket_id: ticket.id,
      customer_id: ticket.user_id,
      seq: mark.seq,
    })
  return moved
}

/**
 * Publishes a read mark. Staff and the customer each get it in their own count: from staff's numbers the customer could work out how many
 * notes there are.
 */
export async function publishRead(
  tx: Tx,
  ticket: TicketRow,
  { user_id, seq }: messages.ReadMark,
  { is_staff }: { is_staff: boolean },
): Promise<void> {
  const other = await messages.translateSeq(tx, ticket.id, seq, is_staff ? 'customer' : 'staff')
  const event = { type: contract.MESSAGE_READ, by: user_id, is_staff, seq: is_staff ? other : seq }
  await publishToTicketReaders(tx, ticket, event, { seq: is_staff ? seq : other, concerns: [] })
}
