import { originOf, recordAct } from '#foundation/server/audit/audit.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Party } from '#features/tickets/rules.ts'
import { insertMessage, type MessageRow } from './message-queries.ts'
import { tellAll, tellStaff } from './publish.ts'
import type { TicketRow } from './queries.ts'

/** A person, as a party to the ticket, and the call by which it is done. */
export type Doer = { party: Party; caller: Caller }

/** A thin line between the messages: who did what. */
export async function writeEvent(
  tx: Tx,
  ticket: TicketRow,
  event: { code: string; params: Record<string, string> },
  by: Doer | 'system',
): Promise<void> {
  const party = by === 'system' ? undefined : by.party
  const by_staff = party?.role === 'staff'
  const author_id = party ? (by_staff ? party.user_id : ticket.user_id) : null
  if (by !== 'system') await recordStaffAct(tx, ticket, event.code, by)
  const row = await insertMessage(tx, { ticket_id: ticket.id, author_id, by_staff, kind: 'event', event })
  await tellOf(tx, ticket, row)
}

/** Keeps in the audit what staff do with a ticket of a customer, and from where (rule 44). */
export async function recordStaffAct(
  tx: Tx,
  { user_id, public_id }: Pick<TicketRow, 'user_id' | 'public_id'>,
  act: string,
  { party, caller }: Doer,
): Promise<void> {
  if (party.role !== 'staff') return
  const detail = { by: party.user_id, chat_id: public_id }
  await recordAct(tx, { user_id, act: `ticket.${act}`, ...originOf(caller), detail })
}

/** Tells of a message whoever may read it. */
export async function tellOf(tx: Tx, ticket: TicketRow, row: MessageRow): Promise<void> {
  const type = 'message.created'
  if (row.kind === 'note') return tellStaff(tx, ticket, { type, kind: 'note' })
  return tellAll(tx, ticket, { type, kind: row.kind })
}
