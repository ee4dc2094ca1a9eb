import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { count, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { contactPermission, readCustomersPermission } from '#features/support/desk/contract.ts'
import { mailHindrances, mailStates } from './rules.ts'

/** The mails to a customer, for staff: an answer to "I never got your mail". */

const customerMail = z.strictObject({
  id: uuidText(),
  created_at: time(),
  /** The kind of mail, as `invoice_issued`. */
  kind: z.string(),
  /** Empty for a mail of a release that kept none. */
  subject: z.string(),
  to: emailText(),
  /** `refused`: the mail server did not take it yet, and it is tried again. `given_up`: nobody gets it unless somebody acts. */
  state: z.enum(mailStates),
  attempts: count(),
  /** The latest answer of the mail server to a mail that is not sent; empty for none. */
  answer: z.string(),
  sent_at: z.nullable(time()),
  /** The address to which it would go today; null where it cannot be sent again. */
  again_to: z.nullable(emailText()),
  /** The reason against sending it again: it holds links of security, still waits, or its text is no longer kept. */
  hindrance: z.nullable(z.enum(mailHindrances)),
})
named('CustomerMail', customerMail)
export type CustomerMail = z.infer<typeof customerMail>

export const listCustomerMails = route({
  id: 'listCustomerMails',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/mails/',
  access: staff(readCustomersPermission),
  summary: 'What was mailed to a customer, newest first',
  description:
    'The mails of the last 30 days, and of the last 90 those that no mail server took. Never their texts',
  params: z.strictObject({ userId: z.uuid() }),
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(customerMail) },
})

export const sendMailAgain = route({
  id: 'sendMailAgain',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/customers/{userId}/mails/{mailId}/again/',
  access: staff(contactPermission),
  summary: 'Send a mail once more, to the address of today',
  description: 'Word by word as it was, with its attachments. Ten an hour to one customer',
  params: z.strictObject({ userId: z.uuid(), mailId: z.uuid() }),
  replies: { 200: z.strictObject({ to: emailText() }) },
  errors: {
    403: ['own_account'],
    409: ['deactivated', 'mail_secret', 'mail_waiting', 'mail_forgotten', 'mail_unwanted', 'mail_suspended'],
    429: ['too_many_requests'],
  },
})
