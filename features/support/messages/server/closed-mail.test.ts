import { expect, it } from 'vitest'
import { changeMailPreferences } from '#features/profile/contract.ts'
import { markSpam } from '#features/support/desk/contract.ts'
import { rateTicket } from '#features/support/ratings/contract.ts'
import { closeTicket, createTicket, reopenTicket } from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { tellClosed } from './closed-mail.ts'

const test = await startTestApp()
const member = await signedInStaff(test)

async function closed({ api }: Customer, by = member): Promise<string> {
  const body = { subject: 'A question', message: 'How?', topic: 'technical' as const }
  const { id: chatId } = bodyOf(await api.call(createTicket, { body }), 201)
  bodyOf(await by.api.call(closeTicket, { params: { chatId } }), 200)
  return chatId
}

/** Runs what a closing has planned, as if its time had come; false where nothing is planned. */
async function tell(chatId: string): Promise<boolean> {
  const { id } = await test.app.db
    .selectFrom('tickets')
    .select('id')
    .where('public_id', '=', chatId)
    .executeTakeFirstOrThrow()
  await tellClosed.run(test.app, { ticket_id: String(id) }, 'test')
  return (await asOwner(test, 'select from jobs where key = $1', [`ticket-closed:${id}`])).length > 0
}
const mailsTo = ({ email }: Customer) =>
  test.app.db
    .selectFrom('mails')
    .select('id')
    .where('letter', '=', 'ticket_closed')
    .where('to_address', '=', email)
    .execute()

it('the mail about a closing by staff asks by three links, once for each closing', async () => {
  const customer = await signedInCustomer(test)
  const chatId = await closed(customer)
  expect(await tell(chatId)).toBe(true)
  await tell(chatId)
  expect(await mailsTo(customer)).toHaveLength(1)
  const { text = '', html = '' } = await test.mails.next(customer.email)
  for (const face of ['good', 'fair', 'poor']) {
    const url = `/account/tickets/${chatId}?rate=${face}`
    expect(text).toContain(url)
    expect(html).toContain(`href="${test.app.config.publicOrigin}${url}"`)
  }
  bodyOf(await customer.api.call(reopenTicket, { params: { chatId } }), 200)
  bodyOf(await member.api.call(closeTicket, { params: { chatId } }), 200)
  await tell(chatId)
  expect(await mailsTo(customer), 'it was closed again').toHaveLength(2)
})

it('no mail asks who closed the ticket, opened it again, has rated it or wants none, and none is sent about spam', async () => {
  const [own, again, rated, quiet, spam] = [
    await signedInCustomer(test),
    await signedInCustomer(test),
    await signedInCustomer(test),
    await signedInCustomer(test),
    await signedInCustomer(test),
  ]
  expect(await tell(await closed(own, own))).toBe(false)
  const opened = await closed(again)
  bodyOf(await member.api.call(reopenTicket, { params: { chatId: opened } }), 200)
  const known = await closed(rated)
  await rated.api.call(rateTicket, { params: { chatId: known }, body: { face: 'good' } })
  await quiet.api.call(changeMailPreferences, { body: { ticket_closing: false } })
  const silent = await closed(quiet)
  const junk = await closed(spam)
  await member.api.call(reopenTicket, { params: { chatId: junk } })
  bodyOf(await member.api.call(markSpam, { params: { chatId: junk } }), 200)
  for (const chatId of [opened, known, silent, junk]) await tell(chatId)
  for (const person of [own, again, rated, quiet, spam]) expect(await mailsTo(person)).toEqual([])
})
