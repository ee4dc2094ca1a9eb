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
/** The part of an audited act after `ticket.`, such as `closed` of `ticket.closed`. */
type TicketAct = CodeOf<Act>

/** The content of an event line: a line between the messages that shows an action on the ticket. */
export type EventLine = { code: TicketAct | (typeof unrecorded)[number]; params: Record<string, string> }

/** The codes of lines that report no act of their own: nobody did it, or the line of another ticket has the act. */
const unrecorded = ['auto_closed', 'merged_from', 'merge_ended', 'split_from'] as const
const isAct = (code: EventLine['code']): code is TicketAct => !unrecorded.some((one) => one === code)

/** Writes an event line with the person and the action. An action of staff is recorded in the audit, too. */
export async function writeEvent(
  tx: Tx,
  ticket: TicketRow,
  event: EventLine,
  by: TicketActor | 'system',
): Promise<void> {
  const party = by === 'system' ? undefined : by.party
  const by_staff = party?.role === 'staff'
  // The author is who makes the call: a member of staff, the customer, a helper of the customer, or a program.
  const author_id = by === 'system' ? null : authorOf(by.caller, ticket)
  if (by !== 'system' && isAct(event.code)) await recordStaffAction(tx, ticket, event.code, by)
  const row = await insertMessage(tx, { ticket_id: ticket.id, author_id, by_staff, kind: 'event', event })
  await publishMessageCreated(tx, ticket, row)
}

const authorOf = ({ actor, program }: TicketActor['caller'], { user_id }: TicketRow): string =>
  actor?.user_id ?? program?.id ?? user_id

/** Writes an internal note by nobody in particular: pages name the operator as its author. */
export async function writeNoteOfOperator(tx: Tx, ticket: TicketRow, text: string): Promise<void> {
  const row = await insertMessage(tx, {
    ticket_id: ticket.id,
    author_id: null,
    by_staff: true,
    kind: 'note',
    text,
  })
  await publishMessageCreated(tx, ticket, row, { concerns: 'all' })
}

/** Records an action of staff on a customer's ticket in the audit, with the IP address of the call (rule 44). */
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
 * Publishes a message to the readers of its ticket. `moved` means that the message changed the ticket. `concerns` names the staff whose
 * counts may have changed: nobody by default, because an event line counts as unread for nobody.
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
  /** True if the author has read everything up to the message. */
  read: boolean
  concerns: 'all' | readonly string[]
}
