import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { announceTopUp, balanceOf } from '#features/finance/server/finance.ts'
import * as contract from '#features/methods/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { autoTopUpOf, turnOn } from '#tests/harness/auto-top-ups.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { methodsOf } from '#tests/harness/methods.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { forgetMethod } from './changes.ts'
import { chargePage, chargeSaved, endCharge } from './methods.ts'
import { methodOf } from './queries.ts'

type Asked = { call: string; key: string; form: Record<string, string> }
type Answer = { status?: number; body: object }

/** A server that stands in for api.stripe.com: each test says what it answers to a call, which it keeps with its form. */
const asked: Asked[] = []
let answers: Record<string, Answer> = {}
const api = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const form = Object.fromEntries(new URLSearchParams(text === '' ? query : text))
    const call = `${request.method} ${path.replace('/v1/', '')}`
    asked.push({ call, key: String(request.headers['idempotency-key'] ?? ''), form })
    const { status = 200, body } = answers[call] ?? { status: 404, body: { error: { message: call } } }
    response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' })
    response.end(JSON.stringify(body))
  })
})
await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening))
afterAll(() => api.close())

const secret = 'whsec_of_the_tests_0123456789'
const test = await startTestApp({
  settings: {
    STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_ORIGIN: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
  },
})
const { app, url } = test
const { webhooks } = new Stripe('sk_test_unused')

async function send(type: string, object: object): Promise<number> {
  const payload = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, data: { object } })
  const signature = webhooks.generateTestHeaderString({ payload, secret })
  const reply = await fetch(`${url}/api/payments/stripe/events/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  })
  await reply.text()
  return reply.status
}

const visa = { brand: 'visa', last4: '4242', exp_month: 2, exp_year: 2032 }
const card = (id: string, more: object = visa) => ({
  id,
  object: 'payment_method',
  type: 'card',
  customer: 'cus_1',
  card: more,
})
const debit = (id: string) => ({
  id,
  object: 'payment_method',
  type: 'sepa_debit',
  customer: 'cus_1',
  sepa_debit: { last4: '3000', country: 'DE' },
})

beforeEach(() => {
  asked.length = 0
  answers = {
    'POST customers': { body: { id: 'cus_1', object: 'customer' } },
    'POST checkout/sessions': {
      body: { id: 'cs_1', object: 'checkout.session', url: 'https://checkout.example.com/1' },
    },
    'DELETE customers/cus_1': { body: { id: 'cus_1', object: 'customer', deleted: true } },
  }
})

const begin = ({ api: client }: Customer, kind: 'card' | 'sepa_debit') =>
  client.call(contract.saveMethod, {
    headers: { 'idempotency-key': randomUUID() },
    body: { provider: 'stripe', kind },
  })

/** Saves a method; `pm` is Stripe's id of it. */
async function saved(kind: 'card' | 'sepa_debit' = 'card') {
  const customer = await signedInCustomer(test)
  const pm = `pm_${randomUUID()}`
  const { id } = bodyOf(await begin(customer, kind), 201)
  const mandate = { payment_method_details: { sepa_debit: { reference: 'MANDATE-1' } } }
  const payment_method = kind === 'card' ? card(pm) : debit(pm)
  answers['GET setup_intents/seti_1'] = {
    body: { object: 'setup_intent', payment_method, mandate: kind === 'card' ? null : mandate },
  }
  const session = { mode: 'setup', setup_intent: 'seti_1', client_reference_id: id, metadata: { method: id } }
  expect(await send('checkout.session.completed', session)).toBe(200)
  return { customer, id, pm, user_id: customer.user_id }
}
type Saved = Awaited<ReturnType<typeof saved>>

async function announced({ user_id, id }: Saved) {
  const { id: method_id } = must(await methodOf(app.db, user_id, id))
  const { public_id } = await transaction(app, { userId: user_id }, (tx) =>
    announceTopUp(app, tx, { user_id, amount: 25_00n, provider: 'stripe', method_id }),
  )
  return {
    public_id,
    charge: (isThere = false) => chargeSaved(app, user_id, public_id, { isThere }),
    end: () => endCharge(app, user_id, public_id),
    intent: (more: object = {}) => ({
      id: `pi_${public_id}`,
      object: 'payment_intent',
      amount: 2500,
      amount_received: 2500,
      currency: 'eur',
      metadata: { top_up: public_id, method: id },
      ...more,
    }),
    balance: () => balanceOf(app, app.db, user_id),
  }
}

const cardError = (intent: object, code: string, decline_code?: string): Answer => ({
  status: 402,
  body: { error: { type: 'card_error', code, decline_code, message: 'no', payment_intent: intent } },
})

it('saves a card on a page of Checkout, for a customer of its own, and reads what was saved from the setup', async () => {
  const { customer, id, pm } = await saved()
  expect(asked.map(({ call }) => call)).toEqual([
    'POST customers',
    'POST checkout/sessions',
    'GET setup_intents/seti_1',
  ])
  expect(asked[0]).toMatchObject({ key: `customer-${id}`, form: { 'metadata[method]': id } })
  expect(asked[1]).toEqual({
    call: 'POST checkout/sessions',
    key: `save-${id}`,
    form: {
      mode: 'setup',
      customer: 'cus_1',
      'payment_method_types[0]': 'card',
      client_reference_id: id,
      'metadata[method]': id,
      'setup_intent_data[metadata][method]': id,
      locale: 'en',
      success_url: `http://localhost:3000/account/finances?method=${id}`,
      cancel_url: `http://localhost:3000/account/finances?method=${id}`,
    },
  })
  expect(await methodsOf(customer)).toMatchObject([
    {
      id,
      provider: 'stripe',
      kind: 'card',
      brand: 'Visa',
      last4: '4242',
      expires: '2032-02',
      state: 'active',
    },
  ])
  const renewed = { ...visa, exp_year: 2036, last4: '1881' }
  expect(await send('payment_method.automatically_updated', card(pm, renewed))).toBe(200)
  expect(await methodsOf(customer)).toMatchObject([{ id, last4: '1881', expires: '2036-02' }])
  expect(await send('payment_method.detached', card(pm))).toBe(200)
  expect(await methodsOf(customer)).toMatchObject([{ state: 'paused', reason: 'ended' }])
})

it('tells nothing wrong where Stripe does not answer: the page is asked for again, the event is sent again', async () => {
  const customer = await signedInCustomer(test)
  answers['POST checkout/sessions'] = { status: 500, body: { error: { message: 'down' } } }
  expect((await begin(customer, 'card')).status).toBe(503)
  const session = { mode: 'setup', setup_intent: 'seti_down', metadata: { method: 'A'.repeat(22) } }
  expect(await send('checkout.session.completed', session)).toBe(503)
})

it('charges a card without its holder, and books by the event alone', async () => {
  const one = await saved()
  const { charge, intent, balance, public_id } = await announced(one)
  answers['POST payment_intents'] = { body: intent({ status: 'succeeded' }) }
  expect(await charge()).toMatchObject({ state: 'paid', reference: `pi_${public_id}` })
  expect(asked.at(-1)).toEqual({
    call: 'POST payment_intents',
    key: `charge-${public_id}`,
    form: {
      amount: '2500',
      currency: 'eur',
      customer: 'cus_1',
      payment_method: one.pm,
      'payment_method_types[0]': 'card',
      confirm: 'true',
      off_session: 'true',
      'metadata[top_up]': public_id,
      'metadata[method]': one.id,
    },
  })
  expect(await balance()).toBe(0n)
  // Asked again, the same charge is looked at, and none is made.
  answers[`GET payment_intents/pi_${public_id}`] = { body: intent({ status: 'succeeded' }) }
  expect(await charge()).toMatchObject({ state: 'paid' })
  expect(asked.filter(({ call }) => call === 'POST payment_intents')).toHaveLength(1)
  for (let times = 0; times < 2; times += 1)
    await send('payment_intent.succeeded', intent({ status: 'succeeded' }))
  expect(await balance()).toBe(25_00n)
  const dispute = { id: 'du_1', payment_intent: `pi_${public_id}`, amount: 2500, currency: 'eur' }
  await send('charge.dispute.funds_withdrawn', dispute)
  expect(await methodsOf(one.customer)).toMatchObject([{ state: 'paused', reason: 'disputed' }])
})

// Seen red while a dispute that named no payment of ours yet was kept without what it stops.
it('a dispute that is told before its payment pauses the card and the automatic top-up, too', async () => {
  const one = await saved()
  bodyOf(await turnOn(one.customer, one.id), 200)
  const { charge, intent, balance, public_id } = await announced(one)
  answers['POST payment_intents'] = { body: intent({ status: 'processing' }) }
  await charge()
  const dispute = { id: 'du_2', payment_intent: `pi_${public_id}`, amount: 2000, currency: 'eur' }
  await send('charge.dispute.funds_withdrawn', dispute)
  expect(await methodsOf(one.customer)).toMatchObject([{ state: 'active' }])
  await send('payment_intent.succeeded', intent({ status: 'succeeded' }))
  expect(await balance()).toBe(5_00n)
  expect(await methodsOf(one.customer)).toMatchObject([{ state: 'paused', reason: 'disputed' }])
  expect(await autoTopUpOf(one.customer)).toMatchObject({ state: 'paused', reason: 'disputed' })
})

it('a refund that is told before its payment pauses nothing', async () => {
  const one = await saved()
  bodyOf(await turnOn(one.customer, one.id), 200)
  const { charge, intent, balance, public_id } = await announced(one)
  answers['POST payment_intents'] = { body: intent({ status: 'processing' }) }
  await charge()
  const refund = { id: 're_1', payment_intent: `pi_${public_id}`, amount: 2500, currency: 'eur' }
  await send('refund.created', { ...refund, status: 'succeeded', metadata: {} })
  await send('payment_intent.succeeded', intent({ status: 'succeeded' }))
  expect(await balance()).toBe(0n)
  expect(await methodsOf(one.customer)).toMatchObject([{ state: 'active' }])
  expect(await autoTopUpOf(one.customer)).toMatchObject({ state: 'active' })
})

it('a charge that its holder must allow waits for them, and is finished on the page of their bank', async () => {
  const one = await saved()
  const { charge, intent, balance, public_id } = await announced(one)
  const waiting = intent({
    status: 'requires_payment_method',
    last_payment_error: { code: 'authentication_required', decline_code: 'authentication_required' },
  })
  answers['POST payment_intents'] = cardError(waiting, 'authentication_required', 'authentication_required')
  expect(await charge()).toMatchObject({ state: 'action_needed', reference: `pi_${public_id}`, url: null })
  await send('payment_intent.payment_failed', waiting)
  answers[`GET payment_intents/pi_${public_id}`] = { body: waiting }
  answers[`POST payment_intents/pi_${public_id}/confirm`] = {
    body: intent({
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.example.com/allow' } },
    }),
  }
  expect(await chargePage(app, one.user_id, public_id)).toBe('https://bank.example.com/allow')
  expect(asked.at(-1)?.form).toEqual({
    payment_method: one.pm,
    return_url: `http://localhost:3000/account/finances?top_up=${public_id}`,
  })
  expect(await balance()).toBe(0n)
  await send('payment_intent.succeeded', intent({ status: 'succeeded' }))
  expect(await balance()).toBe(25_00n)
  expect(await chargePage(app, one.user_id, public_id)).toBeNull()
})

it('who is there is led to their bank at once', async () => {
  const one = await saved()
  const { charge, intent, public_id } = await announced(one)
  const next_action = { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.example.com/now' } }
  answers['POST payment_intents'] = { body: intent({ status: 'requires_action', next_action }) }
  expect(await charge(true)).toMatchObject({ state: 'action_needed', url: 'https://bank.example.com/now' })
  const { form } = must(asked.at(-1))
  expect([form['return_url'], form['off_session']]).toEqual([
    `http://localhost:3000/account/finances?top_up=${public_id}`,
    undefined,
  ])
})

it.each([
  ['insufficient_funds', false, 'active'],
  ['generic_decline', false, 'active'],
  ['lost_card', true, 'paused'],
  ['stolen_card', true, 'paused'],
  ['pickup_card', true, 'paused'],
  ['expired_card', true, 'paused'],
] as const)('a decline by %s is final: %s', async (code, isFinal, state) => {
  const one = await saved()
  const { charge, intent, balance } = await announced(one)
  const error = { code: 'card_declined', decline_code: code }
  const refused = intent({ status: 'requires_payment_method', last_payment_error: error })
  answers['POST payment_intents'] = cardError(refused, 'card_declined', code)
  expect(await charge()).toMatchObject({ state: 'declined', reason: code, isFinal, isOver: false })
  await send('payment_intent.payment_failed', refused)
  expect(await methodsOf(one.customer)).toMatchObject([{ state }])
  expect(await balance()).toBe(0n)
})

it('a charge that Stripe refuses to make is over: no event tells of it', async () => {
  const { charge } = await announced(await saved())
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'no such method' }
  answers['POST payment_intents'] = { status: 400, body: { error } }
  expect(await charge()).toMatchObject({ state: 'declined', isFinal: true, isOver: true })
})

it('a direct debit is under way for days, and may fail then; its mandate may end', async () => {
  const one = await saved('sepa_debit')
  expect(await methodsOf(one.customer)).toMatchObject([
    { kind: 'sepa_debit', last4: '3000', mandate: 'MANDATE-1' },
  ])
  const paid = await announced(one)
  answers['POST payment_intents'] = { body: paid.intent({ status: 'processing', amount_received: 0 }) }
  expect(await paid.charge()).toMatchObject({ state: 'under_way', url: null })
  expect(asked.at(-1)?.form['payment_method_types[0]']).toBe('sepa_debit')
  expect(await paid.balance()).toBe(0n)
  await send('payment_intent.succeeded', paid.intent({ status: 'succeeded' }))
  expect(await paid.balance()).toBe(25_00n)
  const failed = await announced(one)
  await send(
    'payment_intent.payment_failed',
    failed.intent({ last_payment_error: { code: 'insufficient_funds' } }),
  )
  expect(await failed.charge()).toMatchObject({ state: 'declined' })
  expect(await paid.balance()).toBe(25_00n)
  expect(await methodsOf(one.customer)).toMatchObject([{ state: 'active' }])
  await send('mandate.updated', { id: 'mandate_1', status: 'inactive', payment_method: one.pm })
  expect(await methodsOf(one.customer)).toMatchObject([{ state: 'paused', reason: 'ended' }])
})

it('is not sure of a charge whose answer is lost, and says so', async () => {
  const one = await saved()
  const { charge, balance } = await announced(one)
  answers['POST payment_intents'] = { status: 500, body: { error: { message: 'down' } } }
  await expect(charge()).rejects.toThrow('down')
  expect(await balance()).toBe(0n)
  expect(await methodsOf(one.customer)).toMatchObject([{ state: 'active' }])
})

it('a charge that is wanted no more is looked for by its name, and never made', async () => {
  const one = await saved()
  const { charge, end, intent } = await announced(one)
  answers['POST payment_intents'] = { status: 500, body: { error: { message: 'down' } } }
  await expect(charge()).rejects.toThrow('down')
  asked.length = 0
  const list = (data: object[]) => ({ body: { object: 'list', has_more: false, url: '/', data } })
  const other = { ...intent({ status: 'succeeded' }), metadata: { top_up: 'another' } }
  answers['GET payment_intents'] = list([other])
  expect(await end()).toBe('over')
  for (const [status, found] of [
    ['succeeded', 'moving'],
    ['processing', 'moving'],
    ['requires_payment_method', 'over'],
    ['canceled', 'over'],
  ] as const) {
    answers['GET payment_intents'] = list([other, intent({ status })])
    expect(await end()).toBe(found)
  }
  expect(new Set(asked.map(({ call }) => call))).toEqual(new Set(['GET payment_intents']))
  expect(asked[0]?.form).toMatchObject({ customer: 'cus_1' })
  // Nothing is said of a charge by a provider that does not answer.
  answers['GET payment_intents'] = { status: 500, body: { error: { message: 'down' } } }
  await expect(end()).rejects.toThrow('down')
})

it.each(['requires_action', 'requires_payment_method'])(
  'a charge that is wanted no more and waits for its holder (%s) is cancelled at Stripe, or goes on where it is too late',
  async (status) => {
    const { charge, end, intent, public_id } = await announced(await saved())
    const last_payment_error = { code: 'authentication_required' }
    const waiting = intent({ status, last_payment_error })
    answers['POST payment_intents'] = { body: waiting }
    expect(await charge()).toMatchObject({ state: 'action_needed' })
    answers[`GET payment_intents/pi_${public_id}`] = { body: waiting }
    const error = { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message: 'paid' }
    answers[`POST payment_intents/pi_${public_id}/cancel`] = { status: 400, body: { error } }
    await expect(end()).rejects.toThrow('paid')
    answers[`POST payment_intents/pi_${public_id}/cancel`] = {
      body: intent({ status: 'canceled', last_payment_error }),
    }
    expect(await end()).toBe('over')
    expect(asked.at(-1)?.call).toBe(`POST payment_intents/pi_${public_id}/cancel`)
  },
)

it('a payment on a page of Checkout ends with its page, and not with a card that was declined on it', async () => {
  const one = await saved()
  const { intent, charge } = await announced(one)
  const { metadata, ...other } = intent({
    last_payment_error: { code: 'card_declined', decline_code: 'lost_card' },
  })
  await send('payment_intent.payment_failed', { ...other, metadata: { top_up: metadata.top_up } })
  answers['POST payment_intents'] = { body: intent({ status: 'processing' }) }
  expect(await charge()).toMatchObject({ state: 'under_way' })
})

it('has Stripe delete the customer of a method that is removed', async () => {
  const { customer, id, user_id } = await saved()
  const row = must(await methodOf(app.db, user_id, id))
  expect((await customer.api.call(contract.removeMethod, { params: { methodId: id } })).status).toBe(204)
  await forgetMethod.run(app, { method: row.id }, 'tests')
  expect(asked.filter(({ call }) => call.startsWith('DELETE')).map(({ call }) => call)).toContain(
    'DELETE customers/cus_1',
  )
})
