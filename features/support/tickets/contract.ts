import * as z from 'zod/mini'
import { event, route, liveEvent } from '#foundation/contract.ts'
import { requiredMultilineText, requiredText, uuid } from '#foundation/fields.ts'
import { staff } from '#foundation/roles.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { count } from '#foundation/printed.ts'
import {
  attachmentIds,
  clientId,
  deskPermission,
  missingOr,
  priority,
  publicId,
  ticket,
  ticketParams as params,
  topic,
  seeTickets,
  useTickets,
  type Message,
  type Ticket,
} from './shapes.ts'
import { lengths, type Topic } from './values.ts'

/** The customer's tickets (rows K-01, K-02). */
export { deskPermission, seeTickets, useTickets } from './shapes.ts'
export type { Attachment, Message, Ticket } from './shapes.ts'

export const listTickets = route({
  id: 'listTickets',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/',
  access: { who: 'customer', acts: seeTickets },
  fromReplica: true,
  viewable: true,
  tool: 'read',
  summary: "The caller's tickets, the latest message first",
  description:
    'Tickets with the latest message first: your own, those of an account that you help (`for` its id), or all of them (`for=all`)',
  query: z.strictObject({
    ...pageQuery,
    tab: z.optional(z.enum(['open', 'closed'])),
    /** Searches number, subject and comments. */
    q: z.optional(requiredText(200)),
    host_id: z.optional(publicId),
    for: z.optional(z.union([uuid, z.literal('all')])),
  }),
  replies: { 200: pageOf(ticket) },
})

export const countUnread = route({
  id: 'countUnread',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/unread/',
  access: { who: 'customer', acts: seeTickets },
  viewable: true,
  summary: 'How many messages in your tickets are unread',
  description: "The number of unread messages in the caller's tickets, counted up to 100",
  replies: { 200: z.strictObject({ count: count() }) },
})

export const createTicket = route({
  id: 'createTicket',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/',
  access: { who: 'customer', acts: useTickets, whileBlocked: 'allowed' },
  tool: 'propose',
  summary: 'Open a ticket with its first message',
  description: 'Open a ticket with its first message; the same client_id is the same ticket',
  limits: ['ticket'],
  body: z.strictObject({
    subject: requiredText(lengths.subject),
    message: requiredMultilineText(lengths.message),
    topic,
    priority: z.optional(priority),
    host_id: z.optional(z.nullable(publicId)),
    /** The ticket that the new one continues; it was closed too long ago to be opened again. */
    previous_id: z.optional(publicId),
    attachment_ids: attachmentIds,
    client_id: z.optional(clientId),
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
    413: ['quota_exceeded'],
  },
})

export const getTicket = route({
  id: 'getTicket',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/{chatId}/',
  access: { who: 'customer', acts: seeTickets, orStaff: deskPermission },
  viewable: true,
  tool: 'read',
  summary: 'A ticket: of its customer, or any for staff',
  params,
  replies: { 200: ticket },
})

export const closeTicket = route({
  id: 'closeTicket',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/closure/',
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission, whileBlocked: 'allowed' },
  summary: 'Close a ticket; closing a closed one changes nothing',
  params,
  replies: { 200: ticket },
})

export const reopenTicket = route({
  id: 'reopenTicket',
  tag: 'Tickets',
  method: 'DELETE',
  path: '/api/tickets/{chatId}/closure/',
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission, whileBlocked: 'allowed' },
  summary: 'Open a closed ticket again, as its customer within 30 days',
  params,
  replies: { 200: ticket },
  errors: { 409: ['closed_too_long'] },
})

export const mergeTicket = route({
  id: 'mergeTicket',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/tickets/{chatId}/merge/',
  access: staff(deskPermission, 'any'),
  summary: 'Merge a ticket into another one of its customer',
  description:
    'Close a ticket and let the other one go on, which shows its conversation; what its customer writes from then on lands there. It can be undone for seven days',
  params,
  body: z.strictObject({
    number: z
      .int({ error: missingOr('invalid') })
      .check(z.minimum(1, 'invalid'), z.maximum(2_147_483_647, 'invalid')),
  }),
  replies: { 200: ticket },
  errors: {
    400: ['no_such_ticket', 'other_customer'],
    409: ['already_merged', 'own_ticket', 'ticket_closed'],
  },
})

export const undoTicketMerge = route({
  id: 'undoTicketMerge',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/tickets/{chatId}/merge/',
  access: staff(deskPermission, 'any'),
  summary: 'Undo a merge within seven days',
  description: 'Both tickets are as before; answers that landed in the other one stay there',
  params,
  replies: { 200: ticket },
  errors: { 409: ['not_merged', 'own_ticket', 'merge_is_final'] },
})

export const splitTicket = route({
  id: 'splitTicket',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/tickets/{chatId}/split/',
  access: staff(deskPermission, 'any'),
  summary: 'Split the rest of a conversation off into a new ticket',
  description:
    'Move the messages from a number on, with their files, to a new ticket of the same customer; the same client_id is the same ticket',
  params,
  body: z.strictObject({
    /** The number, in the count of staff, of the first comment that goes; not the first of the ticket. */
    seq: z
      .int({ error: missingOr('invalid') })
      .check(z.minimum(1, 'invalid'), z.maximum(999_999_999, 'invalid')),
    subject: requiredText(lengths.subject),
    client_id: clientId,
  }),
  replies: { 201: ticket, 200: ticket },
  errors: { 400: ['unknown_message', 'first_stays'], 409: ['own_ticket'] },
})

/**
 * The live events of tickets. Each names its `chat_id`; events for staff also have `staff: true` and the staff
 * whose counts may have changed (`concerns`: `all`, or ids of people). The customer, the helpers, and staff who view the ticket get a
 * `body` with the event (`LiveBody`), unless it is too large, and need no further call.
 * - `message.created`: `{kind, by, seq, moved, read}`; `moved` if it changed the ticket, `read` if its author has read all before it
 * - `message.changed`: `{seq}`; its secret was opened, something was removed from it, or it went to another ticket
 * - `message.read`: `{by, is_staff, seq}`
 * - `ticket.changed`
 */
export const MESSAGE_CREATED = liveEvent('message.created')
export const MESSAGE_CHANGED = liveEvent('message.changed')
export const MESSAGE_READ = liveEvent('message.read')
export const TICKET_CHANGED = liveEvent('ticket.changed')

/** The position up to which a user has read, in the reader's own count. */
export type Read = { user_id: string; name: string; is_staff: boolean; seq: number }

/** Fields that may change with an event, tags and sleep for staff alone; the unread count of a reader is in no event. */
export type TicketPatch = Pick<
  Ticket,
  | 'status'
  | 'topic'
  | 'priority'
  | 'assignee'
  | 'last_message_at'
  | 'waiting_since'
  | 'due_at'
  | 'first_reply_at'
  | 'closed_at'
  | 'tags'
  | 'snoozed'
>

export type LiveBody = { message?: Message; read?: Read; ticket?: TicketPatch }

/** Emitted for each new message, in the transaction that writes it. */
export const messageWritten = event<{
  ticket_id: bigint
  chat_id: string
  customer_id: string
  author_id: string
  kind: 'comment' | 'note'
  by_staff: boolean
  seq: number
  /** The number in the count of the ticket's customer; null for a note. */
  customer_seq: number | null
  first: boolean
  text: string
  /** The ticket as it was before the message. */
  number: number
  topic: Topic
  host_id: string | null
  assignee_id: string | null
}>('tickets.message_written')

/** A ticket was handed over to a member of staff, by a colleague or (`by` is null) by the command line. */
export const ticketHandedOver = event<{
  chat_id: string
  number: number
  to: string
  by: string | null
}>('tickets.handed_over')

/**
 * Emitted when something was removed from a message, in the transaction that removes it: whoever keeps a copy forgets it. `text` is what
 * was removed of the text, `since` the time of the message.
 */
export const messageRedacted = event<{
  ticket_id: bigint
  chat_id: string
  customer_id: string
  seq: number
  text: string
  since: Date
  /** The lists of account events, and the numbers in them, that held the message. */
  events: readonly { list_id: string; seq: number }[]
  /** The tickets in which the message was and is: each split led to the next. */
  places: readonly { ticket_id: bigint; chat_id: string }[]
}>('tickets.message_redacted')

/** Emitted when the rest of a conversation was split off, in the transaction that moves it. */
export const ticketSplit = event<{
  ticket_id: bigint
  customer_id: string
  /** The ticket that was made. */
  made_id: bigint
  /** The comments that went there, in order: in the customer's count they are 1, 2, 3 … there. */
  comments: readonly { customer_seq: number; by_staff: boolean }[]
}>('tickets.split')

/** Emitted a day before a ticket that waits for its customer is closed, if they want a mail about that. */
export const ticketClosesSoon = event<{
  ticket_id: bigint
  user_id: string
  number: number
  subject: string
  chat_id: string
}>('tickets.closes_soon')

/**
 * Emitted when the customer of a ticket, or a helper, has read up to `seq` in the customer's count, in the transaction that stores the
 * mark.
 */
export const ticketRead = event<{ ticket_id: bigint; customer_id: string; seq: number }>('tickets.read')

/** The files picked for a new ticket. */
export type PickedFiles = {
  /** Resolves once all picked files are uploaded; undefined if one failed. */
  ids: () => Promise<readonly string[] | undefined>
  /** Forgets the picked files once the ticket has them. */
  forget: () => void
}
