import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import * as desk from '#features/support/desk/contract.ts'
import * as messages from '#features/support/messages/contract.ts'
import { replyWithActs } from '#features/support/messages/reply-contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const [olivia, jonas, anna] = [
  await signedInStaff(test),
  await signedInStaff(test),
  await signedInCustomer(test),
]

async function opened({ api }: Customer = anna): Promise<{ chatId: string }> {
  const body = { subject: 'A question', message: 'How?', topic: 'review' as const }
  return { chatId: bodyOf(await api.call(tickets.createTicket, { body }), 201).id }
}
const send = (params: { chatId: string }, acts: Acts, client_id = randomUUID()) =>
  olivia.api.call(replyWithActs, { params, body: { client_id, text: 'We look into it.', acts } })
const said = async (params: { chatId: string }) =>
  bodyOf(await anna.api.call(messages.listMessages, { params, query: {} }), 200).items.map(
    ({ text, event }) => event?.code ?? text,
  )
const seen = async (params: { chatId: string }) =>
  bodyOf(await jonas.api.call(tickets.getTicket, { params }), 200)

it('sends a reply and does its acts, both or neither, and once however often it is sent', async () => {
  const params = await opened()
  const acts: Acts = {
    add_tags: ['VIP'],
    priority: 'high',
    topic: 'technical',
    assignee: jonas.user_id,
    snooze: { hours: 24 },
  }
  const client_id = randomUUID()
  expect((await send(params, acts, client_id)).status).toBe(201)
  const after = {
    status: 'pending',
    priority: 'high',
    topic: 'technical',
    tags: ['vip'],
    assignee: { id: jonas.user_id },
    snoozed: { until: expect.any(String) as unknown },
  }
  expect(await seen(params)).toMatchObject(after)
  await jonas.api.call(desk.changeTicket, { params, body: { priority: 'low', snooze: null } })
  expect((await send(params, acts, client_id)).status).toBe(200)
  expect(await seen(params)).toMatchObject({ priority: 'low', snoozed: null })
  const before = await said(params)
  // The target of the macro has left: the text is not sent without it, and is told so by the act.
  await superuser.query(`update users set is_active = false where id = $1`, [jonas.user_id])
  const other = await opened()
  expect(await send(other, acts)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'unknown_staff', param: 'assignee' }] },
  })
  await superuser.query(`update users set is_active = true where id = $1`, [jonas.user_id])
  expect(await said(other)).toEqual(['How?'])
  expect(await seen(other)).toMatchObject({ status: 'opened', tags: [], priority: 'medium' })
  expect(await said(params)).toEqual(before)
  expect((await send(await opened(olivia), {})).status).toBe(409)
})

it('closes with the reply; the customer reads the text first', async () => {
  const params = await opened()
  expect((await send(params, { status: 'closed' })).status).toBe(201)
  expect(await said(params)).toEqual(['How?', 'We look into it.', 'closed'])
  expect(await send(params, { status: 'closed' })).toMatchObject({ status: 409 })
})

it('keeps macros: of two who change two acts of one both win', async () => {
  const { api } = olivia
  const fields = { title: 'Outage', text: 'We know.', language: 'en' as const }
  const acts = { add_tags: ['Outage '], priority: 'high' as const, snooze: {} }
  const { id, version, ...made } = bodyOf(
    await api.call(desk.createReply, { headers: {}, body: { ...fields, acts } }),
    201,
  )
  expect(made.acts).toEqual({ add_tags: ['outage'], priority: 'high', snooze: {} })
  const change = (body: object, of = version) =>
    api.call(desk.updateReply, { params: { replyId: id }, body: { ...body, version: of } })
  bodyOf(await change({ acts: { snooze: null } }), 200)
  expect(await change({ acts: { priority: 'low' } })).toMatchObject({ status: 409 })
  const changed = bodyOf(await change({ acts: { priority: 'low' } }, version + 1), 200)
  expect(changed.acts).toEqual({ add_tags: ['outage'], priority: 'low' })
  // A macro is sent some day: it sleeps for hours, and until no time.
  expect(await change({ acts: { snooze: { until: '2030-01-01T00:00:00Z' } } }, version + 2)).toMatchObject({
    status: 400,
  })
  const { items } = bodyOf(await api.call(desk.listReplies, {}), 200)
  expect(items.find((reply) => reply.id === id)?.acts).toEqual(changed.acts)
})
