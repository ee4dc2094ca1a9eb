import fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { requiredText } from '#foundation/fields.ts'
import { idempotencyKey, optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { parseBodies } from '#foundation/server/http/bodies.ts'
import { handleErrors } from '#foundation/server/http/error-handler.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { mount } from '#foundation/server/http/serve.ts'
import { Client } from '#tests/harness/client.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { withIdempotencyKey } from './with-idempotency-key.ts'

const test = await startTestApp()
const { app } = test

const ring = route({
  id: 'ring',
  tag: 'Servers',
  method: 'POST',
  path: '/api/bells/{bell}/rings/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Rings a bell and tells how often this customer rang',
  params: z.strictObject({ bell: z.string() }),
  headers: idempotencyKey,
  body: z.strictObject({ tone: requiredText(10), length: z.optional(requiredText(10)) }),
  replies: { 201: z.strictObject({ rings: z.number() }) },
  errors: { 400: ['email_taken'] },
})

const knock = route({ ...ring, path: '/api/doors/{bell}/knocks/', headers: optionalIdempotencyKey })

// The effect of a call is an audit line, and its answer is the number of these lines: both show if a call took effect twice.
const server = fastify()
parseBodies(server)
handleErrors(server, app)
mount(server, app, [
  handler(ring, (call) =>
    withIdempotencyKey(ring, call, (tx) => sound(tx, call.actor.user_id, call.body.tone)),
  ),
  handler(knock, (call) =>
    withIdempotencyKey(knock, call, (tx) => sound(tx, call.actor.user_id, call.body.tone)),
  ),
])

async function sound(tx: Tx, user_id: string, tone: string) {
  await recordAction(tx, { user_id, act: 'mail.dead', ip: '127.0.0.1', user_agent: 'tests' })
  if (tone === 'broken') throw badRequest('email_taken')
  return { status: 201, body: { rings: await ringsOf(user_id, tx) } } as const
}

const url = await server.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => server.close())

async function ringsOf(user_id: string, db: typeof app.db = app.db): Promise<number> {
  const rows = await db
    .selectFrom('audit')
    .select('id')
    .where('user_id', '=', user_id)
    .where('act', '=', 'mail.dead')
    .execute()
  return rows.length
}

function caller(customer: Customer) {
  const client = new Client(url)
  client.access_token = customer.api.access_token

  return (key: string | undefined, body: object = { tone: 'low' }, bell = 'one') =>
    client.post<{ rings: number; errors?: { code: string; param?: string }[] }>(
      `/api/bells/${bell}/rings/`,
      body,
      {
        headers: key === undefined ? {} : { 'idempotency-key': key },
      },
    )
}

it('rule 10: one key a hundred times at once is one effect and one answer', async () => {
  // With a naive implementation (look up the key, then act, then store the answer) every call of the first wave rang.
  const customer = await signedInCustomer(test)
  const send = caller(customer)
  const replies = await Promise.all(Array.from({ length: 100 }, () => send('a')))
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.rings}`))).toEqual(new Set(['201 1']))
  expect(await ringsOf(customer.user_id)).toBe(1)
})

it('rule 10: answers a replay as the first time, whatever has happened since', async () => {
  const send = caller(await signedInCustomer(test))
  await send('first')
  await send('second')
  expect((await send('first')).body).toEqual({ rings: 1 })
  expect((await send('first', { length: undefined, tone: 'low' })).status).toBe(201)
})

it('rule 10: refuses a key with 422 if it was used before with another body or another path', async () => {
  const send = caller(await signedInCustomer(test))
  await send('key', { tone: 'low', length: 'long' })
  expect((await send('key', { length: 'long', tone: 'low' })).status).toBe(201)
  for (const reply of [
    await send('key', { tone: 'high' }),
    await send('key', { tone: 'low', length: 'long' }, 'two'),
  ]) {
    expect([reply.status, reply.body.errors?.[0]?.code]).toEqual([422, 'idempotency_key_reused'])
  }
})

it('keeps nothing of a refusal, so that the same key may succeed later', async () => {
  const customer = await signedInCustomer(test)
  const send = caller(customer)
  expect((await send('key', { tone: 'broken' })).status).toBe(400)
  expect(await ringsOf(customer.user_id)).toBe(0)
  expect((await send('key')).body).toEqual({ rings: 1 })
})

it("does not mix up two customers' keys, and asks for one", async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  await caller(one)('key')
  expect((await caller(other)('key', { tone: 'high' })).body).toEqual({ rings: 1 })
  const reply = await caller(one)(undefined)
  expect([reply.status, reply.body.errors?.[0]]).toMatchObject([
    400,
    { code: 'required', param: 'idempotency-key' },
  ])
})

it('each sending counts where a contract lets the key be absent and it is', async () => {
  const { api } = await signedInCustomer(test)
  const client = new Client(url)
  client.access_token = api.access_token
  const rings = async () =>
    (await client.post<{ rings: number }>('/api/doors/one/knocks/', { tone: 'low' })).body.rings
  expect([await rings(), await rings()]).toEqual([1, 2])
})
