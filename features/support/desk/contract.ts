import * as z from 'zod/mini'
import { route, liveEvent } from '#foundation/contract.ts'
import { requiredMultilineText, requiredText } from '#foundation/fields.ts'
import { optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { locales } from '#foundation/locale.ts'
import { money } from '#foundation/money.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { bigCount, count, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { lengths as ticketLengths } from '#features/support/tickets/rules.ts'
import {
  actErrors,
  acts,
  attachmentIds,
  clientId,
  deskPermission,
  macroActs,
  macroChange,
  person,
  priority,
  publicId,
  ticket,
  ticketParams as params,
  topic,
} from '#features/support/tickets/shapes.ts'
import { away } from './absence-contract.ts'
import { lengths } from './rules.ts'
import { filterFields } from './view-contract.ts'

/** The support desk: tools of staff for answering tickets (rows R-03, G-04). */

export const listStaffTickets = route({
  id: 'listStaffTickets',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/tickets/',
  access: staff(deskPermission),
  fromReplica: true,
  tool: 'read',
  summary: 'Tickets of all customers by tab',
  description:
    'Tickets of all customers by tab, the answer that is expected first before the others; where none is promised, the longest-waiting first, a critical one as if it had waited a day longer, one of high priority eight hours. Closed ones come last. `late` leaves those whose answer was expected before now. `q` searches subject, number, customer and messages',
  query: z.strictObject({
    ...pageQuery,
    ...filterFields,
  }),
  replies: { 200: pageOf(ticket) },
  errors: { 400: ['unknown_topic', 'unknown_priority'] },
})

export const countStaffTickets = route({
  id: 'countStaffTickets',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/tickets/counts/',
  access: staff(deskPermission),
  summary: 'How many tickets are in each tab',
  description:
    'How many tickets are in each tab (up to 1,000), how many of mine have something unread or are late, and how many are later than promised (up to 100)',
  replies: {
    200: z.strictObject({
      incoming: count(),
      processing: count(),
      waiting: count(),
      snoozed: count(),
      mine_unread: count(),
      /** Mails that wait for a decision; absent where none does. */
      held_mails: z.optional(count()),
      /** The tickets whose answer was expected before now, whoever has them. */
      late: count(),
    }),
  },
})

export const changeTicket = route({
  id: 'changeTicket',
  tag: 'Staff tickets',
  method: 'PATCH',
  path: '/api/staff/tickets/{chatId}/',
  access: staff(deskPermission, 'any'),
  summary: 'Sort out a ticket: priority, topic, tags, sleep and more',
  description:
    'Do acts on a ticket, all of them or none: priority, topic, tags to add and to remove, assignee (`me`, `none` or an id), status, and sleep until a time or (`{}`) until its customer answers; null wakes it',
  params,
  body: acts,
  replies: { 200: ticket },
  errors: actErrors,
})

export const listTags = route({
  id: 'listTags',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/tags/',
  access: staff(deskPermission),
  summary: 'The tags that tickets have',
  description: 'The tags that tickets have, by name; there are at most 500',
  replies: { 200: z.strictObject({ items: z.array(z.strictObject({ name: z.string() })) }) },
})

/** The body of the 409: `assignee` is the colleague who was faster and has the ticket now, or null if it was released. */
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
  access: staff(deskPermission, 'any'),
  summary: 'Take a ticket, or hand it over',
  description:
    'Take a ticket without an assignee (without user_id), or hand it over to another member of staff, with an internal note if there is one',
  params,
  body: z.strictObject({
    user_id: z.optional(z.uuid()),
    /** The assignee whom the caller saw. If the ticket has another one by now, nothing changes, and the 409 names the present one. */
    from: z.optional(z.nullable(z.uuid())),
    /** An internal note for the new assignee, written in the same step. */
    note: z.optional(requiredMultilineText(ticketLengths.message)),
  }),
  replies: { 200: ticket, 409: takenByOther },
  errors: { 400: ['unknown_staff'], 409: ['already_taken', 'ticket_closed', 'own_ticket'] },
})

export const giveBackTicket = route({
  id: 'giveBackTicket',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/tickets/{chatId}/assignee/',
  access: staff(deskPermission, 'any'),
  summary: 'Return a ticket to the queue',
  description: 'Release a ticket to the incoming ones; with `from` only if that person still has it',
  params,
  query: z.strictObject({ from: z.optional(z.uuid()) }),
  replies: { 200: ticket, 409: takenByOther },
  errors: { 409: ['already_taken', 'ticket_closed'] },
})

export const markSpam = route({
  id: 'markSpam',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/tickets/{chatId}/spam/',
  access: staff(deskPermission, 'any'),
  summary: 'Close a ticket as spam',
  description:
    'Close a ticket as spam: its customer gets no mail about it, and it is left out of lists, searches and counts of staff. Opening it again undoes that; other tickets of the customer are as before',
  params,
  replies: { 200: ticket },
  errors: { 409: ['own_ticket'] },
})

const replyFields = {
  title: requiredText(lengths.title),
  /** Markdown, as far as messages show it. */
  text: requiredMultilineText(lengths.text),
  language: z.enum(locales, { error: 'unknown_language' }),
}

const cannedReply = z.strictObject({
  id: uuidText(),
  title: z.string(),
  text: z.string(),
  language: z.enum(locales),
  /** The acts on the ticket that go with the reply, or are done without it: a reply that has some is a macro. */
  acts: macroActs,
  changed_at: time(),
  version,
})
named('CannedReply', cannedReply)
export type CannedReply = z.infer<typeof cannedReply>

const replyParams = z.strictObject({ replyId: z.uuid() })

export const listReplies = route({
  id: 'listReplies',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/replies/',
  access: staff(deskPermission),
  summary: 'The canned replies of all staff',
  description: 'The canned replies of all of the staff, by language and title; there are at most 500',
  replies: { 200: z.strictObject({ items: z.array(cannedReply) }) },
})

export const createReply = route({
  id: 'createReply',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/replies/',
  access: staff(deskPermission, 'none'),
  summary: 'Save a canned reply for all staff',
  headers: optionalIdempotencyKey,
  body: z.strictObject({ ...replyFields, acts: z.optional(macroActs) }),
  replies: { 201: cannedReply },
  errors: { 400: ['unknown_language'], 409: ['too_many_replies'] },
})

export const updateReply = route({
  id: 'updateReply',
  tag: 'Staff tickets',
  method: 'PATCH',
  path: '/api/staff/replies/{replyId}/',
  access: staff(deskPermission, 'none'),
  summary: 'Change the named fields of a canned reply',
  params: replyParams,
  body: z.strictObject({
    title: z.optional(replyFields.title),
    text: z.optional(replyFields.text),
    language: z.optional(replyFields.language),
    /** The acts that change; the others stay. */
    acts: z.optional(macroChange),
    /**
     * The version that the caller edited. If a colleague has changed the reply since, nothing changes, and the 409 returns the present
     * reply.
     */
    version,
  }),
  replies: { 200: cannedReply, 409: changedReply(cannedReply) },
  errors: { 400: ['unknown_language'], 409: ['changed'] },
})

export const deleteReply = route({
  id: 'deleteReply',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/replies/{replyId}/',
  access: staff(deskPermission, 'none'),
  summary: 'Delete a canned reply',
  params: replyParams,
  replies: { 204: null },
})

const cardHost = z.strictObject({
  id: z.string(),
  name: z.string(),
  ipv4: z.nullable(z.string()),
  ipv6: z.nullable(z.string()),
  connected: z.boolean(),
  last_seen_at: z.nullable(time()),
  licence: z.enum(['free', 'active', 'expired']),
  suspended: z.boolean(),
  paid_until: z.nullable(time()),
})

const cardTicket = z.strictObject({
  id: z.string(),
  number: bigCount(),
  subject: z.string(),
  status: z.enum(['opened', 'pending', 'in-progress', 'closed']),
  last_message_at: time(),
})

export const readCustomersPermission = permission('customers.read', ['support', 'billing', 'admin'])

export const getCustomer = route({
  id: 'getCustomer',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/',
  access: staff(readCustomersPermission),
  tool: 'read',
  summary: 'The card of a customer',
  description: 'The card of a customer: contact data, the latest ten servers and tickets',
  params: z.strictObject({ userId: z.uuid() }),
  replies: {
    200: z.strictObject({
      id: z.string(),
      /** Empty if the customer gave none. */
      name: z.string(),
      email: emailText(),
      language: z.enum(locales),
      is_staff: z.boolean(),
      /** `open`, or the restriction that staff have set. */
      access: z.enum(['open', 'blocked', 'locked']),
      company: z.string(),
      city: z.string(),
      /** ISO 3166, or empty. */
      country: z.string(),
      customer_since: time(),
      balance: money,
      hosts: z.strictObject({ items: z.array(cardHost), more: z.boolean() }),
      tickets: z.strictObject({ items: z.array(cardTicket), more: z.boolean() }),
    }),
  },
})
named('CustomerCard', getCustomer.replies[200])
export type CustomerCard = z.infer<(typeof getCustomer)['replies'][200]>

export const contactPermission = permission('customers.contact', ['support', 'billing', 'admin'])

export const writeToCustomer = route({
  id: 'writeToCustomer',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/tickets/',
  access: staff(contactPermission),
  summary: 'Write to a customer in a new ticket',
  description:
    'Write to a customer in a new ticket, which waits for them and is assigned to its author; the customer gets a mail at once. The same client_id is the same ticket',
  limits: ['ticket'],
  params: z.strictObject({ userId: z.uuid() }),
  body: z.strictObject({
    subject: requiredText(ticketLengths.subject),
    message: requiredMultilineText(ticketLengths.message),
    topic,
    priority: z.optional(priority),
    host_id: z.optional(z.nullable(publicId)),
    attachment_ids: attachmentIds,
    client_id: z.optional(clientId),
  }),
  replies: { 201: ticket, 200: ticket },
  errors: {
    400: ['unknown_host', 'unknown_topic', 'unknown_priority', 'unknown_attachment', 'too_many_attachments'],
    403: ['own_account'],
    409: ['deactivated'],
  },
})

export const listColleagues = route({
  id: 'listColleagues',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/colleagues/',
  access: staff(deskPermission),
  summary: 'The staff who may sign in, by name',
  replies: {
    200: z.strictObject({
      items: z.array(
        z.strictObject({
          id: uuidText(),
          name: z.string(),
          /** The name that customers see: the operator's for a member of staff without a name. Never an email address. */
          shown_as: z.string(),
          /** The absence of the colleague; null for one who is there. */
          away,
        }),
      ),
    }),
  },
})

export const tellPresence = route({
  id: 'tellPresence',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/tickets/{chatId}/presence/',
  access: staff(deskPermission, 'any'),
  summary: 'Announce to other staff that you view a ticket',
  description:
    'Announce to other staff that you view a ticket, again every 25 s, or that you have left it; returns the others who view it',
  limits: ['presence'],
  params,
  body: z.strictObject({ state: z.enum(['here', 'left'], { error: 'invalid' }) }),
  replies: { 200: z.strictObject({ items: z.array(z.strictObject({ id: uuidText(), name: z.string() })) }) },
})

/** The live event that `tellPresence` publishes: `{chat_id, user_id, name, state}`. */
export const PRESENCE = liveEvent('presence')
