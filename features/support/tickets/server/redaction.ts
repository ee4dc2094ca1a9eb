import { redactEvents } from '#foundation/server/account-events/account-events.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { messageRedacted } from '#features/support/tickets/contract.ts'
import { messageCreated } from '#features/support/tickets/event-contract.ts'
import { mayRedact } from '#features/support/tickets/rules.ts'
import { messagesByNumber, type MessageRow, type Redacted } from './message-queries.ts'
import { publishMessageChanged } from './publish.ts'
import type { TicketRow } from './queries.ts'
import { isHeld, ownersOf, placesOf, redactRow, type Place } from './redaction-queries.ts'
import { deleteSecret } from './secret-queries.ts'
import { serializeMessages } from './serialize-messages.ts'
import { personOf } from './ticket-scope.ts'
import { partyOf } from './write-message.ts'

type Redaction = {
  ticket: TicketRow
  actor: Actor
  caller: Caller
  row: MessageRow
  file_id: string | undefined
}

/**
 * Takes the whole content of a message away for good, or one of its files: from the row and so from the search, and from the
 * events that programs read; whoever else keeps a copy hears `messageRedacted`. Doing it twice changes
 * nothing. Throws 403 for a message of somebody else, 404 for an event line or an unknown file, and 409 under a hold of the operator.
 */
export async function redact(app: App, tx: Tx, redaction: Redaction): Promise<MessageRow> {
  const { ticket, actor, caller, row, file_id } = redaction
  const person_id = personOf(app, actor)
  const party = partyOf(ticket, actor)
  if (row.kind === 'event' || row.moved) throw notFound()
  if (!mayRedact(row, party, person_id)) throw new HttpError(403, [{ code: 'not_your_message' }])
  if (file_id === undefined ? row.redacted?.text : row.redacted && !hasFile(row, file_id)) return row
  if (file_id !== undefined && !hasFile(row, file_id)) throw notFound()
  if (await isHeld(tx, row)) throw new HttpError(409, [{ code: 'cannot_be_removed' }])
  const gone = file_id === undefined ? row.attachments.length : 1
  const mark: Redacted = {
    at: new Date().toISOString(),
    by: person_id,
    by_staff: party.role === 'staff',
    text: file_id === undefined || (row.redacted?.text ?? false),
    files: (row.redacted?.files ?? 0) + gone,
  }
  await redactRow(tx, row, mark, file_id === undefined ? null : [file_id])
  if (file_id === undefined && row.secret_id !== null) await deleteSecret(tx, row.secret_id)
  const detail = { by: person_id, chat_id: ticket.public_id }
  await recordAction(tx, { user_id: ticket.user_id, act: 'ticket.redacted', ...originOf(caller), detail })
  const left = await readAgain(tx, ticket, row)
  const places = await placesOf(tx, left)
  await emit(app, tx, messageRedacted, {
    ticket_id: ticket.id,
    chat_id: ticket.public_id,
    customer_id: ticket.user_id,
    seq: row.seq,
    text: file_id === undefined ? row.text : '',
    since: row.created_at,
    events: await redactedEvents(app, tx, places, left),
    places,
  })
  await publishMessageChanged(tx, ticket, left)
  return left
}

const hasFile = ({ attachments }: MessageRow, file_id: string) => attachments.some(({ id }) => id === file_id)

async function readAgain(tx: Tx, { public_id: chat_id }: TicketRow, row: MessageRow): Promise<MessageRow> {
  const [left] = await messagesByNumber(tx, [{ chat_id, staff: true, seq: row.seq }])
  if (!left) throw notFound()
  return left
}

/**
 * Events that were recorded hold the message as it was, under each ticket in which it was, and in the list of whoever owned that ticket
 * then. Returns their lists and numbers.
 */
async function redactedEvents(app: App, tx: Tx, places: readonly Place[], left: MessageRow) {
  if (left.kind !== 'comment') return []
  const [message] = await serializeMessages(app, tx, [left], { staff: false })
  if (!message) return []
  const { client_id, created_at } = message
  const owners = await ownersOf(
    tx,
    places.map(({ ticket_id }) => ticket_id),
  )
  const redacted: { list_id: string; seq: number }[] = []
  for (const { chat_id, customer_seq } of places)
    for (const account of owners) {
      const holding = { ticket: { id: chat_id }, message: { client_id, created_at } }
      const instead = { message: { ...message, seq: customer_seq ?? message.seq } }
      const found = await redactEvents(tx, { account, type: messageCreated.type, holding, instead })
      redacted.push(...found)
    }
  return redacted
}
