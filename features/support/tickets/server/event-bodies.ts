import { displayNames } from '#features/profile/server/profile.ts'
import {
  MESSAGE_CHANGED,
  MESSAGE_CREATED,
  MESSAGE_READ,
  TICKET_CHANGED,
  type LiveBody,
  type TicketPatch,
} from '#features/support/tickets/contract.ts'
import type { App } from '#foundation/server/app.ts'
import type { EventBodies, EventToSend } from '#foundation/server/realtime/bodies.ts'
import { messagesByNumber, type MessageRow } from './message-queries.ts'
import { ticketsByPublicId, type TicketRow } from './queries.ts'
import { forStaff } from './serialize.ts'
import { secretsIn, type Secrets } from './secret-queries.ts'
import { peopleIn, serializeMessage } from './serialize-messages.ts'

/**
 * Adds the message, the read mark or the state of the ticket to events of the ticket, for its customer, its helpers, and staff who view it.
 */
export const eventBodies: EventBodies = {
  types: [MESSAGE_CREATED, MESSAGE_CHANGED, MESSAGE_READ, TICKET_CHANGED],
  roomOf: ({ chat_id }) => String(chat_id),
  read: readBodies,
}

type Names = Awaited<ReturnType<typeof displayNames>>

/** Returns the bodies in the order of the events. Takes three or four statements for any number of events. */
async function readBodies(app: App, events: readonly EventToSend[]): Promise<(LiveBody | undefined)[]> {
  const chats = events.map(({ data }) => String(data['chat_id']))
  const wanted = events.flatMap(({ type, as_staff, data }) =>
    (type === MESSAGE_CREATED || type === MESSAGE_CHANGED) && typeof data['seq'] === 'number'
      ? [{ chat_id: String(data['chat_id']), staff: as_staff, seq: data['seq'] }]
      : [],
  )
  const [tickets, messages] = await Promise.all([
    ticketsByPublicId(app.db, chats),
    messagesByNumber(app.db, wanted),
  ])
  const names = await displayNames(app, app.db, [
    ...[...tickets.values()].map(({ assignee_id }) => assignee_id),
    ...messages.flatMap(peopleIn),
    ...events.map(({ data }) => (typeof data['by'] === 'string' ? data['by'] : null)),
  ])
  const shown = { messages, names, secrets: await secretsIn(app.db, messages) }
  return events.map((event) => {
    const ticket = tickets.get(String(event.data['chat_id']))
    return ticket && bodyOf(event, ticket, shown)
  })
}

function bodyOf(
  { type, as_staff, data }: EventToSend,
  ticket: TicketRow,
  { messages, names, secrets }: { messages: readonly MessageRow[]; names: Names; secrets: Secrets },
): LiveBody | undefined {
  if (type === TICKET_CHANGED) return { ticket: patchOf(ticket, names, { staff: as_staff }) }
  const { by, seq } = data
  if (type === MESSAGE_READ) {
    if (typeof by !== 'string' || typeof seq !== 'number') return undefined
    return { read: readOf(names, { by, seq, is_staff: data['is_staff'] === true }, { staff: as_staff }) }
  }
  const row = messages.find(
    (each) => each.ticket_id === ticket.id && (as_staff ? each.seq : each.customer_seq) === seq,
  )
  if (!row) return undefined
  const message = serializeMessage(row, { names, secrets }, { staff: as_staff })
  const read =
    data['read'] === true && row.author_id !== null
      ? readOf(names, { by: row.author_id, seq: message.seq, is_staff: row.by_staff }, { staff: as_staff })
      : undefined
  const patch = data['moved'] === true ? patchOf(ticket, names, { staff: as_staff }) : undefined
  return { message, ...(read && { read }), ...(patch && { ticket: patch }) }
}

function readOf(
  names: Names,
  { by, seq, is_staff }: { by: string; seq: number; is_staff: boolean },
  { staff }: { staff: boolean },
) {
  const { name } = is_staff && !staff ? names.ofStaff(by) : names.of(by)
  return { user_id: by, name, is_staff, seq }
}

function patchOf(row: TicketRow, names: Names, { staff }: { staff: boolean }): TicketPatch {
  const { assignee_id } = row
  return {
    status: row.status,
    topic: row.topic,
    priority: row.priority,
    assignee: assignee_id === null ? null : staff ? names.of(assignee_id) : names.ofStaff(assignee_id),
    last_message_at: row.last_message_at.toISOString(),
    waiting_since: row.waiting_since?.toISOString() ?? null,
    due_at: row.due_at?.toISOString() ?? null,
    first_reply_at: row.first_reply_at?.toISOString() ?? null,
    closed_at: row.closed_at?.toISOString() ?? null,
    ...(staff ? forStaff(row) : {}),
  }
}
