import type { Tx } from '#foundation/server/database/transaction.ts'
import type { LiveEvent } from '#foundation/server/realtime/live-event.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import { MESSAGE_CHANGED, TICKET_CHANGED } from '#features/support/tickets/contract.ts'
import { concernedBy, rolesFor, type TicketState } from '#features/support/tickets/rules.ts'
import type { MessageRow } from './message-queries.ts'
import type { TicketRow } from './queries.ts'
import { recordState } from './record-events.ts'

type About = Pick<TicketRow, 'user_id' | 'public_id' | 'topic' | 'host_public_id'>

/** Fields of an event for staff only. */
type ForStaff = {
  /** The number of a message or a mark, in staff's count. */
  seq?: number
  /** Staff whose counts may have changed: `all`, or the ids of the assignees before and after. */
  concerns: 'all' | readonly string[]
}

/**
 * Publishes to everyone who may open the ticket: one event for its customer, one for each helper and one for all staff. The log
 * holds ids only; the text is added when the event is sent (event-bodies.ts), or read by the ordinary calls.
 */
export async function publishToTicketReaders(
  tx: Tx,
  ticket: About,
  event: LiveEvent,
  forStaff: ForStaff,
): Promise<void> {
  const { user_id, public_id: chat_id, topic, host_public_id } = ticket
  const heardBy = { roles: rolesFor(topic), host_id: host_public_id }
  await publish(tx, user_id, { ...event, chat_id }, heardBy)
  await publishToTicketStaff(tx, ticket, event, forStaff)
}

/** Publishes to staff alone: a note leaves no trace with the customer, not even an event. */
export async function publishToTicketStaff(
  tx: Tx,
  ticket: About,
  event: LiveEvent,
  forStaff: ForStaff,
): Promise<void> {
  const { public_id, user_id } = ticket
  await publishToStaff(tx, { ...event, ...forStaff, chat_id: public_id }, { hidden_from: user_id })
}

/** Publishes that a ticket has changed; `before` is absent for a new ticket. */
export async function publishTicketChanged(
  tx: Tx,
  ticket: About,
  before: TicketState | undefined,
  after: TicketState,
): Promise<void> {
  recordState(tx, ticket, before, after)
  await publishToTicketReaders(tx, ticket, { type: TICKET_CHANGED }, { concerns: concernedBy(before, after) })
}

/** Publishes that a message is no longer as it was, to those who may read it. */
export async function publishMessageChanged(
  tx: Tx,
  ticket: About,
  { kind, seq, customer_seq }: Pick<MessageRow, 'kind' | 'seq' | 'customer_seq'>,
): Promise<void> {
  const event = { type: MESSAGE_CHANGED }
  if (kind === 'note') return publishToTicketStaff(tx, ticket, event, { seq, concerns: [] })
  return publishToTicketReaders(tx, ticket, { ...event, seq: customer_seq }, { seq, concerns: [] })
}
