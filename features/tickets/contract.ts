import * as z from 'zod/mini'
import { event, slot, route } from '#foundation/contract.ts'
import { multilineText, requiredMultilineText, opaqueText, requiredText } from '#foundation/fields.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { count, digits, named, uuidText } from '#foundation/printed.ts'
import { lengths, priorities, topics } from './rules.ts'
import { message, person, ticket, type Attachment, type Message, type Ticket } from './shapes.ts'

/** Tickets and what is said in them (rows K-01 to K-03). */
export { attachment, type Attachment, type Message, type Ticket } from './shapes.ts'

const publicId = z.string().check(z.regex(/^[\w-]{22}$/))
const userId = z.uuid()
const uuid = z.uuid({ error: 'invalid' })
const params = z.strictObject({ chatId: publicId })
const missingOr =
  (code: string) =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? 'required' : code
const topic = z.enum(topics, { error: missingOr('unknown_topic') })
const priority = z.enum(priorities, { error: missingOr('unknown_priority') })

const attachmentIds = z.optional(
  z.array(publicId).check(z.maxLength(lengths.attachments, 'too_many_attachments')),
)
const written = {
  client_id: uuid,
  text: multilineText(lengths.message),
  attachment_ids: attachmentIds,
}

export const listTickets = route({
  id: 'listTickets',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/',
  access: { who: 'customer' },
  summary: 'Tickets of who is signed in, the latest word first',
  query: z.strictObject({
    ...pageQuery,
    tab: z.optional(z.enum(['open', 'closed'])),
    /** Looks into number, subject and comments. */
    q: z.optional(requiredText(200)),
    host_id: z.optional(publicId),
  }),
  replies: { 200: pageOf(ticket) },
})

export const countUnread = route({
  id: 'countUnread',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/unread/',
  access: { who: 'customer' },
  summary: 'How many messages in your tickets are unread',
  description: 'How many messages in tickets of who is signed in are not read yet, counted up to 100',
  replies: { 200: z.strictObject({ count: count() }) },
})

export const createTicket = route({
  id: 'createTicket',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/',
  access: { who: 'customer' },
  summary: 'Open a ticket with its first message',
  description: 'Open a ticket with its first message; the same client_id is the same ticket',
  limits: ['ticket'],
  body: z.strictObject({
    subject: requiredText(lengths.subject),
    message: requiredMultilineText(lengths.message),
    topic,
    priority: z.optional(priority),
    host_id: z.optional(z.nullable(publicId)),
    /** A ticket closed too long ago to be opened again. */
    previous_id: z.optional(publicId),
    attachment_ids: attachmentIds,
    client_id: z.optional(uuid),
  }),
  replies: { 201: ticket, 200: ticket },
  errors: {
    400: [
      'unknown_host',
      'unknown_topic',
      'unknown_priority',
      'unknown_ticket',
      'unknown_attachment',
      'too_many_attachments',
    ],
  },
})

export const getTicket = route({
  id: 'getTicket',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/{chatId}/',
  access: { who: 'customer' },
  summary: 'A ticket: of its customer, or any for staff',
  params,
  replies: { 200: ticket },
})

export const closeTicket = route({
  id: 'closeTicket',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/closure/',
  access: { who: 'customer' },
  summary: 'Close a ticket; closing a closed one changes nothing',
  params,
  replies: { 200: ticket },
})

export const reopenTicket = route({
  id: 'reopenTicket',
  tag: 'Tickets',
  method: 'DELETE',
  path: '/api/tickets/{chatId}/closure/',
  access: { who: 'customer' },
  summary: 'Open a closed ticket again, as its customer within 30 days',
  params,
  replies: { 200: ticket },
  errors: { 409: ['closed_too_long'] },
})

const seqText = digits(/^\d{1,9}$/, 0, 999_999_999)

export const listMessages = route({
  id: 'listMessages',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/{chatId}/messages/',
  access: { who: 'customer' },
  summary: 'Messages of a ticket by number',
  description: 'Messages by number: the last ones, or those before or after a number',
  params,
  query: z.strictObject({ limit: pageQuery.limit, before: z.optional(seqText), after: z.optional(seqText) }),
  replies: {
    200: z.strictObject({
      items: z.array(message),
      first_seq: count(),
      last_seq: count(),
      /** For staff: the first message of the customer that nobody has answered; null where none waits. */
      unanswered_seq: z.nullable(count()),
      reads: z.array(
        z.strictObject({ user_id: uuidText(), name: z.string(), is_staff: z.boolean(), seq: count() }),
      ),
    }),
  },
})

named('Messages', listMessages.replies[200])

export const postMessage = route({
  id: 'postMessage',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/messages/',
  access: { who: 'customer' },
  summary: 'Write a message',
  description: 'Say something; the same client_id is the same message and answers 200',
  limits: ['message'],
  params,
  body: z.strictObject(written),
  replies: { 201: message, 200: message },
  errors: { 400: ['unknown_attachment', 'too_many_attachments'], 409: ['ticket_closed'] },
})

export const markRead = route({
  id: 'markRead',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/read/',
  access: { who: 'customer' },
  summary: 'Mark messages as read up to a number',
  description: 'Read up to this number; a lower one than before changes nothing',
  params,
  body: z.strictObject({
    seq: z.int({ error: 'invalid' }).check(z.minimum(0, 'invalid'), z.maximum(999_999_999, 'invalid')),
  }),
  replies: { 204: null },
})

export const listStaffTickets = route({
  id: 'listStaffTickets',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/tickets/',
  access: { who: 'staff' },
  summary: 'Tickets of all customers by tab',
  description:
    'Tickets of all customers by tab, who waits longest first; a critical one counts as a day, one of high priority as eight hours longer, and closed ones come last. `q` searches subject, number, customer and messages',
  query: z.strictObject({
    ...pageQuery,
    tab: z.optional(z.enum(['incoming', 'processing', 'waiting', 'closed'])),
    topic: z.optional(topic),
    priority: z.optional(priority),
    assignee: z.optional(z.union([z.literal('me'), z.literal('none'), userId])),
    customer: z.optional(userId),
    q: z.optional(opaqueText(200)),
  }),
  replies: { 200: pageOf(ticket) },
  errors: { 400: ['unknown_topic', 'unknown_priority'] },
})

export const countStaffTickets = route({
  id: 'countStaffTickets',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/tickets/counts/',
  access: { who: 'staff' },
  summary: 'How many tickets are in each tab',
  description: 'How many tickets are in each tab (up to 1,000), and how many with something unread are mine',
  replies: {
    200: z.strictObject({
      incoming: count(),
      processing: count(),
      waiting: count(),
      mine_unread: count(),
    }),
  },
})

export const changeTicket = route({
  id: 'changeTicket',
  tag: 'Staff tickets',
  method: 'PATCH',
  path: '/api/staff/tickets/{chatId}/',
  access: { who: 'staff' },
  summary: 'Change priority or topic',
  params,
  body: z.strictObject({ priority: z.optional(priority), topic: z.optional(topic) }),
  replies: { 200: ticket },
  errors: { 400: ['unknown_topic', 'unknown_priority'] },
})

/** The colleague who was faster and has the ticket now, or null where it was released. */
const takenByOther = z.strictObject({
  status: z.literal(409),
  errors: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  assignee: z.nullable(person),
})
named('TakenByOther', takenByOther)

export const assignTicket = route({
  id: 'assignTicket',
  tag: 'Staff tickets',
  method: 'PUT',
  path: '/api/staff/tickets/{chatId}/assignee/',
  access: { who: 'staff' },
  summary: 'Take a ticket, or hand it over',
  description: 'Take a ticket that nobody has (without user_id), or hand it over to another of the staff',
  params,
  body: z.strictObject({
    user_id: z.optional(userId),
    /** The assignee when this was decided; if that changed meanwhile, nothing changes and 409 says who has it. */
    from: z.optional(z.nullable(userId)),
  }),
  replies: { 200: ticket, 409: takenByOther },
  errors: { 400: ['unknown_staff'], 409: ['already_taken', 'ticket_closed', 'own_ticket'] },
})

export const giveBackTicket = route({
  id: 'giveBackTicket',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/tickets/{chatId}/assignee/',
  access: { who: 'staff' },
  summary: 'Give a ticket back to the incoming ones',
  description: 'Give a ticket back to the incoming ones; with `from` only where that person still has it',
  params,
  query: z.strictObject({ from: z.optional(userId) }),
  replies: { 200: ticket, 409: takenByOther },
  errors: { 409: ['already_taken', 'ticket_closed'] },
})

export const postNote = route({
  id: 'postNote',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/tickets/{chatId}/notes/',
  access: { who: 'staff' },
  summary: 'Write a note that the customer never sees',
  description: 'A note that the customer never sees; the same client_id is the same note and answers 200',
  limits: ['message'],
  params,
  body: z.strictObject(written),
  replies: { 201: message, 200: message },
  errors: { 400: ['unknown_attachment', 'too_many_attachments'] },
})

/**
 * The live events of tickets. Each names its `chat_id`; those of staff also say `staff: true` and whose counts may have changed
 * (`concerns`: `all`, or ids of people). Readers who look at the ticket get a `body` with it (`LiveBody`) and need not ask.
 * - `message.created`: `{kind, by, seq, moved, read}`; `moved` where the ticket is another by it
 * - `message.read`: `{by, is_staff, seq}`
 * - `ticket.changed`
 */
export const MESSAGE_CREATED = 'message.created'
export const MESSAGE_READ = 'message.read'
export const TICKET_CHANGED = 'ticket.changed'

/** How far somebody has read, in the reader's own count. */
export type Read = { user_id: string; name: string; is_staff: boolean; seq: number }

/** Fields that may change with an event; the unread count of a reader is in no event. */
export type TicketPatch = Pick<
  Ticket,
  | 'status'
  | 'topic'
  | 'priority'
  | 'assignee'
  | 'last_message_at'
  | 'waiting_since'
  | 'first_reply_at'
  | 'closed_at'
>

export type LiveBody = { message?: Message; read?: Read; ticket?: TicketPatch }

/** Files are to be tied to a message that is being written: whoever keeps files checks them and names them in order. */
export const attaching = event<{
  uploader_id: string
  customer_id: string
  ticket_id: bigint
  note: boolean
  ids: readonly string[]
  add: (attachment: Attachment) => void
}>('tickets.attaching')

/** A message was written, in the transaction that wrote it. */
export const messageWritten = event<{
  ticket_id: bigint
  chat_id: string
  customer_id: string
  author_id: string
  kind: 'comment' | 'note'
  by_staff: boolean
  seq: number
  /** In the count of the ticket's customer; null for a note. */
  customer_seq: number | null
  first: boolean
  text: string
}>('tickets.message_written')

/** The customer of a ticket has read up to a number of theirs, in the transaction that noted it. */
export const ticketRead = event<{ ticket_id: bigint; customer_id: string; seq: number }>('tickets.read')

/** The files that shall go with a new ticket. */
export type PickedFiles = {
  /** Once all that were picked are there; undefined where one did not get there. */
  ids: () => Promise<readonly string[] | undefined>
  /** The ticket has them. */
  forget: () => void
}

/** The file picker for a new ticket, provided by the feature that stores files. Reports how to ask for the picked ones. */
export const newTicketFiles = slot<{ onPick: (picked: PickedFiles) => void }>('tickets.new_files')

/** The slot for the staff's actions on a ticket: beside the title of its chat. */
export const ticketActs = slot<{ ticket: Ticket }>('tickets.acts')
