import type { Act } from '#texts/acts.js'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { MESSAGE_CREATED } from '#features/support/tickets/contract.ts'
import type { Party } from '#features/support/tickets/rules.ts'
import { insertMessage, type MessageRow } from './message-queries.ts'
import { publishToTicketReaders, publishToTicketStaff } from './publish.ts'
import type { TicketRow } from './queries.ts'

/** A person, as a party to the ticket, and the call by which they act. */
export type TicketActor = { party: Party; caller: Caller }

type CodeOf<A extends Act> = A extends `ticket.${infer Code}` ? Code : never
/** `closed` of the audited act `ticket.closed`. */
type TicketAct = CodeOf<Act>

/** The content of a line between the messages. */
export type EventLine = { code: TicketAct | 'auto_closed'; params: Record<string, string> }

/** An event line between the messages: the person and the action. */
export async function writeEvent(
  tx: Tx,
  ticket: TicketRow,
  event: EventLine,
  by: TicketActor | 'system',
): Promise<void> {
  const party = by === 'system' ? undefined : by.party
  const by_staff = party?.role === 'staff'
  // On the customer's side it is the person who calls: the customer, or a helper.
  const author_id = by === 'system' ? null : (by.caller.actor?.user_id ?? ticket.user_id)
  if (by !== 'system' && event.code !== 'auto_closed') await recordStaffAction(tx, ticket, event.code, by)
  const row = await insertMessage(tx, { ticket_id: ticket.id, author_id, by_staff, kind: 'event', event })
  await publishMessageCreated(tx, ticket, row)
}

/** Records in the audit the actions of staff on a customer's ticket, and their address (rule 44). */
export async function recordStaffAction(
  tx: Tx,
  { user_id, public_id }: Pick<TicketRow, 'user_id' | 'public_id'>,
  act: TicketAct,
  { party, caller }: TicketActor,
): Promise<void> {
  if (party.role !== 'staff') return
  const detail = { by: party.user_id, chat_id: public_id }
  await recordAction(tx, { user_id, act: `ticket.${act}`, ...originOf(caller), detail })
}

/**
 * Publishes a message to the readers of its ticket. `moved` means that the ticket moved on with it, from the
 * state `before`; an event line counts as unread for nobody.
 */
export async function publishMessageCreated(
  tx: Tx,
  ticket: TicketRow,
  row: MessageRow,
  { moved = false, read = false, concerns = [] }: Partial<MessageNews> = {},
): Promise<void> {
  const { kind, author_id, seq, customer_seq } = row
  const event = { type: MESSAGE_CREATED, kind, by: author_id, moved, read }
  if (kind === 'note') return publishToTicketStaff(tx, ticket, event, { seq, concerns })
  return publishToTicketReaders(tx, ticket, { ...event, seq: customer_seq }, { seq, concerns })
}

type MessageNews = {
  moved: boolean
  /** The author has read everything up to the message. */
  read: boolean
  concerns: 'all' | readonly string[]
}
