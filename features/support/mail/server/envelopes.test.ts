import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { carriedIn, comes, mailInSettings, rawMail, ticketIdOf } from '#tests/harness/mail-in.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: mailInSettings })
const SUPPORT = 'support@in.example.com'

const ticketOf = async (who: Customer) => {
  const { id } = await opened(who)
  const { to, returns = '' } = await carriedIn(test, id, who.user_id)
  return { ticket_id: String(await ticketIdOf(test, id)), to, returns }
}
const ticketsOf = async ({ user_id }: Customer) =>
  (await asOwner(test, 'select id from tickets where user_id = $1', [user_id])).length
/** Lets one mail come once to each of these recipients, in order; returns the fate of all, which is that of the first. */
const comeBoth = async (bytes: Buffer, recipients: readonly string[]) => {
  const fates = []
  for (const recipient of recipients) fates.push(await comes(test, bytes, recipient))
  expect(new Set(fates.map(({ id }) => id)).size).toBe(1)
  return fates[0]
}

it('K-05 an answer that also goes to the address of the support reaches its ticket, whichever copy comes first', async () => {
  const anna = await signedInCustomer(test)
  const { ticket_id, to } = await ticketOf(anna)
  const mail = (header: 'To' | 'Cc') =>
    rawMail({
      from: anna.email,
      to: header === 'To' ? `${to}, ${SUPPORT}` : to,
      more: header === 'Cc' ? [`Cc: Support <${SUPPORT}>`] : [],
      text: `It works. ${randomUUID()}`,
    })
  for (const header of ['To', 'Cc'] as const)
    for (const recipients of [
      [SUPPORT, to],
      [to, SUPPORT],
    ])
      expect(await comeBoth(mail(header), recipients), `${header} ${recipients.join()}`).toMatchObject({
        state: 'posted',
        ticket_id,
      })
  expect(await ticketsOf(anna)).toBe(1)
  // A copy for the support alone still opens a ticket.
  expect(await comes(test, rawMail({ from: anna.email, text: 'Another thing.' }), SUPPORT)).toMatchObject({
    state: 'posted',
  })
  expect(await ticketsOf(anna)).toBe(2)
})

it('K-05 a mail to the addresses of two tickets is held, whichever copy comes first', async () => {
  const anna = await signedInCustomer(test)
  const [one, other] = [await ticketOf(anna), await ticketOf(anna)]
  for (const recipients of [
    [one.to, other.to],
    [other.to, one.to],
    [SUPPORT, one.to],
  ])
    for (const more of [[], [`Cc: ${SUPPORT}, ${other.to}`]])
      expect(
        await comeBoth(
          rawMail({
            from: anna.email,
            to: more.length > 0 ? one.to : `${one.to}, ${other.to}`,
            more,
            text: `Both of them. ${randomUUID()}`,
          }),
          recipients,
        ),
      ).toMatchObject({ state: 'held', reason: 'several_addresses' })
})

it('K-05 the headers of a mail with an envelope never stand for what came back, and end no answer', async () => {
  const anna = await signedInCustomer(test)
  const { ticket_id, to, returns } = await ticketOf(anna)
  const mail = rawMail({ from: anna.email, to, more: [`Cc: ${returns}`], text: 'Here it is.' })
  expect(await comes(test, mail, to)).toMatchObject({ state: 'posted', ticket_id })
  // Headers that mail servers note tell where a copy went, and who was written to is in To and Cc.
  const noted = rawMail({ from: anna.email, more: [`Delivered-To: ${to}`], text: 'A new thing.' })
  await comes(test, noted, SUPPORT)
  expect(await ticketsOf(anna)).toBe(2)
})
