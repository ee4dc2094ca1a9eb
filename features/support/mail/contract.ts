import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { email, opaqueText } from '#foundation/fields.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { count, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { deskPermission, seeTickets, ticketParams, useTickets } from '#features/support/tickets/shapes.ts'
import { heldReasons } from './rules.ts'

/** Answers by mail: what came in, what is held, and what came back (row K-05). */

const mailFields = {
  id: uuidText(),
  /** Null where the mail names no sender that can be read. Anybody can write any sender into a mail. */
  from: z.nullable(z.string()),
  from_name: z.nullable(z.string()),
  subject: z.string(),
  text: z.string(),
  file_names: z.array(z.string()),
  received_at: time(),
}

const heldMail = z.strictObject({
  ...mailFields,
  reason: z.enum(heldReasons),
  /** The ticket that it was written to, where that is certain. */
  ticket: z.nullable(z.strictObject({ id: z.string(), number: count(), subject: z.string() })),
  /** The account whose confirmed address sent it, or whose address was answered. */
  customer: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  /** True if it can be posted in the name of this customer. */
  can_post: z.boolean(),
  /** True if its sender can be blocked: no customer has this address, and the mail is not forged. */
  can_block: z.boolean(),
})
named('HeldMail', heldMail)
export type HeldMail = z.infer<typeof heldMail>

export const listHeldMails = route({
  id: 'listHeldMails',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/held-mails/',
  access: staff(deskPermission),
  summary: 'Mails that wait until somebody decides',
  description:
    'Mails that came in and are in no ticket yet, the oldest first, each with the reason; nobody was told that they came',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(heldMail) },
})

const mailParams = z.strictObject({ mailId: z.uuid({ error: 'invalid' }) })

export const decideHeldMail = route({
  id: 'decideHeldMail',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/held-mails/{mailId}/decision/',
  access: staff(deskPermission, 'any'),
  summary: 'Post, attach or discard a held mail, or block its sender',
  description:
    'Post it in the name of the customer who wrote it, attach it to a ticket as an internal note, discard it, or block its sender, too. Nobody gets a mail about it',
  params: mailParams,
  body: z.strictObject({
    act: z.enum(['post', 'attach', 'discard', 'block']),
    /** The number of the ticket, for `attach`. */
    number: z.optional(
      z.int({ error: 'invalid' }).check(z.minimum(1, 'invalid'), z.maximum(999_999_999, 'invalid')),
    ),
  }),
  replies: { 200: z.strictObject({ chat_id: z.nullable(z.string()) }) },
  errors: {
    400: ['required', 'unknown_ticket', 'unknown_sender'],
    409: ['changed', 'mail_not_postable', 'sender_not_blockable', 'ticket_closed', 'own_ticket'],
    413: ['quota_exceeded'],
  },
})

const blockedSender = z.strictObject({
  email: z.string(),
  blocked_at: time(),
  /** The member who blocked it; null once their account is gone. */
  blocked_by: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
})
named('BlockedSender', blockedSender)
export type BlockedSender = z.infer<typeof blockedSender>

export const listBlockedSenders = route({
  id: 'listBlockedSenders',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/blocked-senders/',
  access: staff(deskPermission),
  summary: 'Senders whose mails are dropped',
  description:
    'Senders whose mails are dropped when they come in, the newest first, each with who blocked it',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(blockedSender) },
})

export const unblockSender = route({
  id: 'unblockSender',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/blocked-senders/lifting/',
  access: staff(deskPermission, 'none'),
  summary: 'Lift the block of a sender',
  description: 'Mails of this sender are judged again from now on; those that were dropped stay dropped',
  body: z.strictObject({ email: opaqueText(400) }),
  replies: { 204: null },
  errors: { 409: ['changed'] },
})

const asked = z.strictObject(mailFields)
const returned = z.strictObject({
  /** The last message in the mail, in the count of the reader. */
  seq: count(),
  to: z.string(),
  returned_at: time(),
  reason: z.string(),
})

export const getTicketMails = route({
  id: 'getTicketMails',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/{chatId}/mails/',
  access: { who: 'customer', acts: seeTickets, orStaff: deskPermission },
  viewable: true,
  summary: 'Mails of a ticket that wait, and those that came back',
  description:
    'For the person whose mail somebody else answered: these answers, to show or to discard. For staff: the mails about messages that came back',
  params: ticketParams,
  replies: {
    200: z.strictObject({
      asked: z.array(asked),
      returned: z.array(returned),
      suspended: z.array(z.strictObject({ email: emailText(), since: time() })),
    }),
  },
})

export const getWholeMail = route({
  id: 'getWholeMail',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/{chatId}/mails/{seq}/',
  access: { who: 'customer', acts: seeTickets, orStaff: deskPermission },
  summary: 'The whole text of a mail that became a message',
  description: 'All that the mail says, also what it quotes; for its author and for staff',
  params: z.extend(ticketParams, { seq: z.string().check(z.regex(/^\d{1,9}$/)) }),
  replies: { 200: z.strictObject({ subject: z.string(), text: z.string(), received_at: time() }) },
})

export const decideAnswerOfOther = route({
  id: 'decideAnswerOfOther',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/mails/{mailId}/consent/',
  access: { who: 'customer', acts: useTickets, whileBlocked: 'allowed' },
  summary: 'Show or discard the answer of somebody else',
  description:
    'Somebody else has answered a mail to the caller: show the answer in the ticket, as a quotation by them, or discard it',
  params: z.extend(ticketParams, { mailId: z.uuid({ error: 'invalid' }) }),
  body: z.strictObject({ show: z.boolean({ error: 'required' }) }),
  replies: { 204: null },
  errors: { 409: ['changed', 'ticket_closed'], 413: ['quota_exceeded'] },
})

export const retryAddress = route({
  id: 'retryAddress',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/suspended-addresses/retry/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Send mails to an address again from which one came back',
  body: z.strictObject({ email: email() }),
  replies: { 204: null },
  errors: { 400: ['unknown_email'] },
})

export const listSuspended = route({
  id: 'listSuspended',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/suspended-addresses/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'Addresses to which no mail goes, as one came back',
  replies: { 200: z.strictObject({ items: z.array(z.strictObject({ email: emailText(), since: time() })) }) },
})

/** A mail is held, or is held no longer. */
export const HELD_MAILS = liveEvent('held_mails')
/** A mail came back, or an address is tried again. */
export const RETURNED_MAIL = liveEvent('returned_mail')
