import { lengths } from '#features/support/tickets/rules.ts'
import * as z from 'zod/mini'
import { route, liveEvent } from '#foundation/contract.ts'
import { multilineText, requiredMultilineText } from '#foundation/fields.ts'
import { pageQuery } from '#foundation/paging.ts'
import { count, digits, named, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import {
  type Acts,
  attachmentIds,
  clientId,
  deskPermission,
  message,
  publicId,
  ticketParams as params,
  seeTickets,
  useTickets,
} from '#features/support/tickets/shapes.ts'

/** Messages of a ticket, and the conversation that shows them live (row K-03). */

const written = { client_id: clientId, text: multilineText(lengths.message), attachment_ids: attachmentIds }

const seqText = digits(/^\d{1,9}$/, 0, 999_999_999)

export const listMessages = route({
  id: 'listMessages',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/{chatId}/messages/',
  access: { who: 'customer', acts: seeTickets, orStaff: deskPermission },
  viewable: true,
  tool: 'read',
  summary: 'Messages of a ticket by number',
  description: 'Messages by number: the last ones, or those before or after a number',
  params,
  query: z.strictObject({ limit: pageQuery.limit, before: z.optional(seqText), after: z.optional(seqText) }),
  replies: {
    200: z.strictObject({
      items: z.array(message),
      first_seq: count(),
      last_seq: count(),
      /** For staff: the number of the customer's first message without an answer; null if none waits. */
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
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission, whileBlocked: 'allowed' },
  tool: 'propose',
  summary: 'Write a message',
  description: 'Send a message; the same client_id is the same message and answers 200',
  limits: ['message'],
  params,
  body: z.strictObject(written),
  replies: { 201: message, 200: message },
  errors: {
    400: ['unknown_attachment', 'too_many_attachments'],
    409: ['ticket_closed'],
    413: ['quota_exceeded'],
  },
})

const messageParams = z.strictObject({ chatId: publicId, seq: seqText })

export const postSecret = route({
  id: 'postSecret',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/secrets/',
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission, whileBlocked: 'allowed' },
  summary: 'Write a message with a secret',
  description:
    'Send a message with a part, such as a password, that only the other side opens, once. It is kept encrypted until then, and wiped then, when the ticket closes, or after 30 days; no mail, search, export or event holds it. The same client_id is the same message and answers 200',
  limits: ['message'],
  params,
  body: z.strictObject({
    client_id: clientId,
    /** The part that everybody reads who may open the ticket. */
    text: multilineText(lengths.message),
    secret: requiredMultilineText(lengths.secret),
  }),
  replies: { 201: message, 200: message },
  errors: { 409: ['ticket_closed'] },
})

export const openSecret = route({
  id: 'openSecret',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/messages/{seq}/secret/',
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission, whileBlocked: 'allowed' },
  summary: 'Open the secret of a message, once',
  description:
    'Open the secret of a message of the other side. It is wiped by that: the answer is the only one that holds it',
  params: messageParams,
  replies: { 200: z.strictObject({ secret: z.string() }) },
  errors: { 409: ['own_secret', 'secret_gone'] },
})

export const redactMessage = route({
  id: 'redactMessage',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/messages/{seq}/redaction/',
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission, whileBlocked: 'allowed' },
  summary: 'Remove the content of a message for good',
  description:
    'Remove the content of a message, or one of its files, for good: of your own messages, as staff of any. Its number and its time stay. Removing it twice changes nothing',
  params: messageParams,
  body: z.strictObject({
    /** The file to remove; without it the text, the secret and all files are removed. */
    attachment_id: z.optional(publicId),
  }),
  replies: { 200: message },
  errors: { 403: ['not_your_message'], 409: ['cannot_be_removed'] },
})

export const markRead = route({
  id: 'markRead',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/read/',
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission, whileBlocked: 'allowed' },
  summary: 'Mark messages as read up to a number',
  description: 'Read up to this number; a lower one than before changes nothing',
  params,
  body: z.strictObject({
    seq: z.int({ error: 'invalid' }).check(z.minimum(0, 'invalid'), z.maximum(999_999_999, 'invalid')),
  }),
  replies: { 204: null },
})

export const postNote = route({
  id: 'postNote',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/tickets/{chatId}/notes/',
  access: staff(deskPermission, 'any'),
  summary: 'Write a note that the customer never sees',
  description: 'A note that the customer never sees; the same client_id is the same note and answers 200',
  limits: ['message'],
  params,
  body: z.strictObject(written),
  replies: { 201: message, 200: message },
  errors: { 400: ['unknown_attachment', 'too_many_attachments'], 413: ['quota_exceeded'] },
})

export const tellTyping = route({
  id: 'tellTyping',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/typing/',
  access: { who: 'customer', acts: useTickets, orStaff: deskPermission, whileBlocked: 'allowed' },
  summary: 'Publish to the other side that you are typing',
  limits: ['typing'],
  params,
  replies: { 204: null },
})

/** Access to the draft that a member of staff is writing, for tools that help to write. */
export type Writing = {
  /** Puts text in at the cursor and moves the cursor behind it. */
  insert: (words: string) => void
  /**
   * Calls the listener for a `/` at the beginning of a line, or an `@` at the beginning of a word, and keeps that mark out of the draft.
   * Returns a function that ends this.
   */
  onMark: (mark: '/' | '@', listener: () => void) => () => void
  /** The acts that are done with the reply; absent in the draft of a note. */
  plan?: { acts: Acts | undefined; planActs: (acts: Acts | undefined) => void }
}

/** A user is typing in a ticket at this moment; stored nowhere. */
export const TYPING = liveEvent('typing')
