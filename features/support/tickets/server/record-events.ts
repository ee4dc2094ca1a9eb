import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import * as events from '#features/support/tickets/event-contract.ts'
import type { TicketState } from '#features/support/tickets/rules.ts'
import type { MessageRow } from './message-queries.ts'
import { ticketsByPublicId, type TicketRow } from './queries.ts'
import { plainFields } from './serialize.ts'
import { serializeMessages, type KnownNames } from './serialize-messages.ts'

type About = Pick<TicketRow, 'user_id' | 'public_id' | 'host_public_id'>

/** Records a new ticket, or that its status changed, with the ticket as it is at the end of the transaction. */
export function recordState(
  tx: Tx,
  ticket: About,
  before: Pick<TicketState, 'status'> | undefined,
  after: Pick<TicketState, 'status'>,
): void {
  if (before?.status === after.status) return
  const { user_id, public_id, host_public_id: host } = ticket
  let read: Promise<events.TicketNow | undefined> | undefined
  const now = () => (read ??= readNow(tx, public_id))
  record(tx, user_id, before ? events.ticketStatusChanged : events.ticketCreated, now, { host })
  if (after.status === 'closed') record(tx, user_id, events.ticketClosed, now, { host })
}

async function readNow(tx: Tx, public_id: string): Promise<events.TicketNow | undefined> {
  const row = (await ticketsByPublicId(tx, [public_id])).get(public_id)
  return row && { ...plainFields(row), last_seq: row.customer_seq }
}

/** Records a comment. A note has no number in the count of the customer, and is never recorded. */
export function recordMessage(
  app: App,
  tx: Tx,
  ticket: TicketRow,
  row: MessageRow,
  known: KnownNames | undefined,
): void {
  if (row.kind !== 'comment') return
  const { user_id, public_id: id, number, subject, topic, host_public_id: host } = ticket
  const read = async () => {
    const [message] = await serializeMessages(app, tx, [row], { staff: false, known })
    return message && { ticket: { id, number, subject, topic }, message }
  }
  record(tx, user_id, events.messageCreated, read, { host })
}
