import * as messages from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import * as profile from '#features/profile/contract.ts'
import * as contract from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { jobs } from './auto-close.ts'
import { must } from '#foundation/must.ts'

const test = await startTestApp()
const { app } = test
// The superuser moves a ticket into the past, which no other role of the database may do.
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const staff = await signedInStaff(test)

const run = (name: string, ticket_id: string) =>
  must(jobs.find((job) => job.name === name)).run(app, { ticket_id }, 'test')

/** Opens a ticket that staff have answered, and moves the start of its wait for the customer this number of days back. */
async function silentTicket(days: number) {
  const customer = await signedInCustomer(test)
  const body = { subject: 'Cannot reach my server', message: 'x', topic: 'technical' as const }
  const { body: ticket } = await customer.api.call(contract.createTicket, { body })
  const params = { chatId: ticket.id }
  await staff.api.call(messages.postMessage, {
    params,
    body: { client_id: randomUUID(), text: 'Try now.' },
  })
  const { rows } = await superuser.query<{ id: string }>(
    `update tickets set pending_since = now() - make_interval(days => $2) where public_id = $1 returning id`,
    [params.chatId, days],
  )
  return { customer, params, id: must(rows[0]).id }
}

const warningsTo = (email: string) =>
  app.db
    .selectFrom('mails')
    .select('id')
    .where('letter', '=', 'ticket_closing_soon')
    .where('to_address', '=', email)
    .execute()

it('warns the customer a day before, and closes a week after the answer, with an event line in the chat', async () => {
  const { customer, params, id } = await silentTicket(6)
  await run('close_silent_ticket', id)
  expect((await customer.api.call(contract.getTicket, { params })).body).toMatchObject({ status: 'pending' })
  await run('warn_before_closing', id)
  // A worker that dies after its work leaves the job in the queue, and the job runs again.
  await run('warn_before_closing', id)
  expect(await warningsTo(customer.email)).toHaveLength(1)
  const mail = await test.mails.next(customer.email)
  expect(mail.text).toContain(`/account/tickets/${params.chatId}`)
  await superuser.query(`update tickets set pending_since = now() - interval '7 days' where id = $1`, [id])
  await run('close_silent_ticket', id)
  expect((await customer.api.call(contract.getTicket, { params })).body).toMatchObject({ status: 'closed' })
})

it('leaves an answered ticket alone, and sends no warning to a customer who switched that off; it closes all the same', async () => {
  const [answered, quiet] = [await silentTicket(6), await silentTicket(7)]
  const body = { client_id: randomUUID(), text: 'Still broken.' }
  await answered.customer.api.call(messages.postMessage, { params: answered.params, body })
  await quiet.customer.api.call(profile.changeMailPreferences, { body: { ticket_closing: false } })
  for (const { id } of [answered, quiet]) {
    await run('warn_before_closing', id)
    await run('close_silent_ticket', id)
  }
  for (const { customer } of [answered, quiet]) expect(await warningsTo(customer.email)).toEqual([])
  const statusOf = async ({ customer, params }: typeof quiet) =>
    (await customer.api.call(contract.getTicket, { params })).body.status
  expect([await statusOf(answered), await statusOf(quiet)]).toEqual(['in-progress', 'closed'])
})
