import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { deactivate } from '#features/profile/contract.ts'
import { writeToCustomer } from '#features/support/desk/contract.ts'
import { getTicket, listTickets } from '#features/support/tickets/contract.ts'
import { postMessage } from '#features/support/messages/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { must } from '#foundation/must.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const staff = await signedInStaff(test)
const said = { subject: 'Your server', message: 'Its disk is **full**.', topic: 'technical' as const }
const write = (user_id: string, body: object = {}) =>
  staff.api.call(writeToCustomer, { params: { userId: user_id }, body: { ...said, ...body } })

it('staff write first: the ticket waits for its customer, is its author’s, and is mailed at once, once', async () => {
  const customer = await signedInCustomer(test)
  const stream = await openEvents(test.url, must(customer.api.access_token))
  await stream.until(({ type }) => type === 'ready')
  const client_id = randomUUID()
  const answers = await Promise.all(Array.from({ length: 4 }, () => write(customer.user_id, { client_id })))
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '200', '201'])
  const ticket = bodyOf(must(answers.find(({ status }) => status === 201)), 201)
  expect(ticket).toMatchObject({
    status: 'pending',
    assignee: { id: staff.user_id },
    customer: { id: customer.user_id },
    waiting_since: null,
    first_reply_at: null,
  })
  await stream.until(({ type }) => type === 'message.created')
  stream.close()
  const mail = await test.mails.next(customer.email)
  expect(mail.subject).toContain(`#${ticket.number}: Your server`)
  expect(mail.text).toContain('Its disk is full')
  const own = bodyOf(await customer.api.call(listTickets, { query: {} }), 200).items
  expect(own).toMatchObject([{ id: ticket.id, unread: 1, status: 'pending' }])
  const params = { chatId: ticket.id }
  const reply = { text: 'I will look.', client_id: randomUUID() }
  bodyOf(await customer.api.call(postMessage, { params, body: reply }), 201)
  expect(bodyOf(await customer.api.call(getTicket, { params }), 200).status).toBe('in-progress')
  expect(test.mails.all.filter(({ to_address }) => to_address === customer.email)).toHaveLength(1)
})

it('not to oneself, to nobody, to who is gone, or about the server of another', async () => {
  const codeOf = async (asked: ReturnType<typeof write>) => {
    const { status, body } = (await asked) as { status: number; body: unknown }
    return [status, (body as { errors?: { code: string }[] }).errors?.[0]?.code]
  }
  expect(await codeOf(write(staff.user_id))).toEqual([403, 'own_account'])
  expect(await codeOf(write(randomUUID()))).toEqual([404, 'not_found'])
  const customer = await signedInCustomer(test)
  expect(await codeOf(write(customer.user_id, { host_id: 'a'.repeat(22) }))).toEqual([400, 'unknown_host'])
  await customer.api.call(deactivate, { body: {} })
  expect(await codeOf(write(customer.user_id))).toEqual([409, 'deactivated'])
})
