import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Party } from '#features/tickets/rules.ts'
import { insertMessage, type MessageRow } from './message-queries.ts'
import { tellAll, tellStaff } from './news.ts'
import type { TicketRow } from './queries.ts'

/** A thin line between the messages: who did what. */
export async function writeEvent(
  tx: Tx,
  ticket: TicketRow,
  event: { code: string; params: Record<string, string> },
  by: Party | 'system',
): Promise<void> {
  const author_id = by === 'system' ? null : by.role === 'staff' ? by.user_id : ticket.user_id
  const by_staff = by !== 'system' && by.role === 'staff'
  const row = await insertMessage(tx, { ticket_id: ticket.id, author_id, by_staff, kind: 'event', event })
  await tellOf(tx, ticket, row)
}

/** Tells of a message whoever may read it. */
export async function tellOf(tx: Tx, ticket: TicketRow, row: MessageRow): Promise<void> {
  const type = 'message.created'
  if (row.kind === 'note') return tellStaff(tx, ticket, { type, kind: 'note' })
  return tellAll(tx, ticket, { type, kind: row.kind })
}
