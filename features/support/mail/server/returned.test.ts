import { expect, it } from 'vitest'
import { mailDueReplies } from '#features/support/messages/server/mails.ts'
import { tellClosed } from '#features/support/messages/server/closed-mail.ts'
import { mailClosing } from '#features/support/messages/server/closing-mail.ts'
import { closeTicket } from '#features/support/tickets/contract.ts'
import * as contract from '#features/support/mail/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import {
  carriedIn,
  comes,
  deliveryReport,
  mailInSettings,
  rawMail,
  ticketIdOf,
} from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: mailInSettings })
const { app } = test
const olivia = await signedInStaff(test)

/** A customer with a ticket in which staff have answered, by mail, too. */
async function answered() {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  await say(olivia, ticket.id, 'Is it plugged in?')
  await asOwner(test, 'update ticket_mails set due_at = now() where due_at is not null')
  await mailDueReplies(app)
  const { returns } = await carriedIn(test, ticket.id, anna.user_id)
  return { anna, ticket, returns: must(returns) }
}
const mailOf = async ({ email }: Customer, letter: string): Promise<string> => {
  const [row] = (await asOwner(
    test,
    'select id from mails where to_address = $1 and letter = $2 order by created_at desc limit 1',
    [email, letter],
  )) as { id: string }[]
  return must(row).id
}
const comesBack = (to: string, status: string, message_id: string) =>
  comes(
    test,
    rawMail({
      from: 'mailer-daemon@example.org',
      to,
      type: 'multipart/report; report-type=delivery-status; boundary=r',
      text: deliveryReport(status, { message_id }),
    }),
  )
const seen = async (chatId: string) =>
  bodyOf(await olivia.api.call(contract.getTicketMails, { params: { chatId } }), 200)

// Seen red: only a delivery that failed for a bad address was shown anywhere.
it.each([
  ['4.4.7', 'was given up after days', 0],
  ['5.2.2', 'met a full mailbox', 0],
  ['5.1.1', 'met no mailbox', 1],
])('K-05 a mail with %s (%s) is shown to staff as returned', async (status, _why, suspended) => {
  const { anna, ticket, returns } = await answered()
  const id = await mailOf(anna, 'ticket_reply')
  await comesBack(returns, status, `${id}@localhost`)
  const mails = await seen(ticket.id)
  expect(mails.returned).toMatchObject([{ seq: 2, to: anna.email, reason: status }])
  expect(mails.suspended).toHaveLength(suspended)
})

// Seen red: the mail about the closing was noted nowhere, and its return was shown at the last reply, which had arrived.
it('K-05 a mail about the closing that comes back is shown at the closing, and not at the reply before', async () => {
  const { anna, ticket, returns } = await answered()
  bodyOf(await olivia.api.call(closeTicket, { params: { chatId: ticket.id } }), 200)
  const ticket_id = await ticketIdOf(test, ticket.id)
  await tellClosed.run(app, { ticket_id: String(ticket_id) }, 'test')
  const id = await mailOf(anna, 'ticket_closed')
  await comesBack(returns, '4.4.7', `${id}@localhost`)
  expect((await seen(ticket.id)).returned).toMatchObject([{ seq: 3, to: anna.email }])
})

it('K-05 a warning before the closing that comes back is shown where the conversation stood', async () => {
  const { anna, ticket, returns } = await answered()
  const ticket_id = await ticketIdOf(test, ticket.id)
  const { user_id } = anna
  const about = { ticket_id, user_id, number: ticket.number, subject: ticket.subject, chat_id: ticket.id }
  await transaction(app, 'system', (tx) => mailClosing(app, tx, about))
  await comesBack(returns, '4.4.7', `${await mailOf(anna, 'ticket_closing_soon')}@localhost`)
  const rows = await asOwner(
    test,
    `select m.letter from ticket_mails_sent s join mails m on m.id = s.mail_id
     where s.ticket_id = $1 and s.returned_at is not null`,
    [String(ticket_id)],
  )
  expect(rows).toEqual([{ letter: 'ticket_closing_soon' }])
})

it('K-05 a report that names a mail which is not known marks none, and one that names none the last', async () => {
  const { ticket, returns } = await answered()
  await comesBack(returns, '4.4.7', '0b0e0d3c-6c0a-4a4e-9e0e-3a1b2c3d4e5f@localhost')
  expect((await seen(ticket.id)).returned).toEqual([])
  // Dashes alone are no id: seen red, the database refused them for ever.
  await comesBack(returns, '4.4.7', `${'-'.repeat(36)}@localhost`)
  expect((await seen(ticket.id)).returned).toMatchObject([{ seq: 2 }])
})
