import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as contract from '#features/finance/contract.ts'
import { balanceOf, payingCountries } from '#features/finance/server/finance.ts'
import { currencies } from '#foundation/currencies.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import {
  callAsMollie,
  chargebackOf,
  MOLLIE_KEY,
  refundOf,
  startMollieServer,
  type Payment,
} from '#tests/harness/mollie-server.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { checkLedger } from '../check.ts'
import { fromMollie, toMollie } from './mollie-amounts.ts'
import { mollie as provider } from './mollie.ts'
import { eventsOf } from './mollie-payment.ts'

const mollie = await startMollieServer()
afterAll(() => mollie.close())
const test = await startTestApp({
  settings: { MOLLIE_API_KEY: MOLLIE_KEY, MOLLIE_API_ORIGIN: mollie.origin },
})
const { app, url } = test
const staff = await signedInCustomer(test)
await transaction(app, 'system', (tx) => setStaffRoles(tx, staff.user_id, ['billing']))

beforeEach(() => {
  mollie.asked.length = 0
  mollie.fate = 'none'
})
// Each request of the product is one that Mollie takes, whatever a test is about.
afterEach(() => expect(mollie.wrong.splice(0)).toEqual([]))

const start = (customer: Customer, key: string = randomUUID()) =>
  customer.api.call(contract.startTopUp, {
    headers: { 'idempotency-key': key },
    body: { amount: '2500', provider: 'mollie' },
  })

type Begun = { customer: Customer; topUp: contract.TopUp; payment: Payment }

async function begun(): Promise<Begun> {
  const customer = await signedInCustomer(test)
  const topUp = bodyOf(await start(customer), 201)
  const [payment] = [...mollie.payments.values()].slice(-1)
  return { customer, topUp, payment: must(payment) }
}

/** Changes a payment at Mollie, which then calls. Returns the status of the answer. */
const tell = ({ payment }: Begun, change: Partial<Payment> = {}) =>
  callAsMollie(url, Object.assign(payment, change))

const balance = ({ customer }: Begun) => balanceOf(app, app.db, customer.user_id)

async function paid(): Promise<Begun> {
  const one = await begun()
  expect(await tell(one, { status: 'paid', paidAt: '2026-11-20T10:05:00+00:00' })).toBe(200)
  expect(await balance(one)).toBe(25_00n)
  return one
}

const statusOf = async ({ customer, topUp }: Begun) =>
  bodyOf(await customer.api.call(contract.getTopUp, { params: { id: topUp.id } }), 200).status

const listed = async ({ payment }: Begun, state: 'open' | 'done' = 'open') =>
  bodyOf(
    await staff.api.call(contract.listUnbookedEvents, { query: { state, limit: '100' } }),
    200,
  ).items.filter(
    ({ payment_reference, event_id }) =>
      payment_reference === payment.id || event_id.startsWith(`${payment.id}.`),
  )

it('F-01 makes a payment over the amount, names the top-up, and leads back to the finances', async () => {
  const { topUp, payment } = await begun()
  expect(topUp.redirect_url).toBe(`https://www.mollie.com/checkout/select/${payment.id}`)
  const { body, key } = must(mollie.asked[0])
  expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
  expect(body).toEqual({
    amount: { currency: 'EUR', value: '25.00' },
    description: app.config.operator.name,
    redirectUrl: `http://localhost:3000/account/finances?top_up=${topUp.id}`,
    cancelUrl: `http://localhost:3000/account/finances?top_up=${topUp.id}`,
    webhookUrl: expect.stringMatching(
      new RegExp(`^http://localhost:3000/api/payments/mollie/events/\\?of=${topUp.id}&proof=[\\w-]{22}$`),
    ) as string,
    metadata: { top_up: topUp.id },
  })
})

it('rule 10: while Mollie is away the customer gets an error, and the same key makes one payment later', async () => {
  const customer = await signedInCustomer(test)
  const before = mollie.payments.size
  for (const fate of ['away', 'answer lost'] as const) {
    mollie.fate = fate
    const { status, body } = await start(customer, 'key')
    expect([status, JSON.stringify(body)]).toEqual([
      503,
      expect.stringContaining('payment_provider_unavailable'),
    ])
  }
  mollie.fate = 'none'
  const [one, other] = [await start(customer, 'key'), await start(customer, 'key')]
  expect([one.status, one.body]).toEqual([201, other.body])
  expect(mollie.payments.size).toBe(before + 1)
})

it('rule 14: counts a payment once, however often Mollie calls, and however many calls come at once', async () => {
  const one = await paid()
  await Promise.all([tell(one), tell(one), tell(one)])
  expect(await balance(one)).toBe(25_00n)
  expect(await statusOf(one)).toBe('paid')
})

it.each([
  ['failed', 'failed'],
  ['expired', 'failed'],
  ['canceled', 'failed'],
  ['open', 'pending'],
  ['pending', 'pending'],
  ['authorized', 'pending'],
])('a payment that is %s at Mollie books nothing: the top-up is %s', async (status, here) => {
  const one = await begun()
  expect(await tell(one, { status })).toBe(200)
  expect([await balance(one), await statusOf(one)]).toEqual([0n, here])
})

it('knows from which country a card or an account paid', async () => {
  for (const [details, known] of [
    [{ cardCountryCode: 'CH' }, ['CH']],
    [{ consumerAccount: 'NL53INGB0654422370' }, ['NL']],
    [{ consumerAccount: 'payer@example.com' }, []],
    [{ cardCountryCode: 'Switzerland' }, []],
  ] as const) {
    const one = await begun()
    await tell(one, { status: 'paid', details })
    expect(await payingCountries(app.db, one.customer.user_id)).toEqual(known)
  }
})

describe('what is taken back', () => {
  it('rule 61: a chargeback takes its part, and returns it where it is reversed, each once', async () => {
    const one = await paid()
    const chargeback = chargebackOf('10.00')
    await tell(one, { chargebacks: [chargeback] })
    await tell(one)
    expect(await balance(one)).toBe(15_00n)
    await tell(one, { chargebacks: [{ ...chargeback, reversedAt: '2026-12-01T10:00:00+00:00' }] })
    await tell(one)
    expect(await balance(one)).toBe(25_00n)
  })

  it('a direct debit that a bank takes back is a chargeback with its reason, below zero if need be', async () => {
    const one = await paid()
    await tell(one, { chargebacks: [chargebackOf('25.00')] })
    expect([await balance(one), await statusOf(one)]).toEqual([0n, 'charged_back'])
    const { items } = bodyOf(await one.customer.api.call(contract.listTransactions, { query: {} }), 200)
    expect(items[0]).toMatchObject({
      type: 'charge_back',
      description: { code: 'charge_back', params: { provider: 'mollie', reason: 'Insufficient funds' } },
    })
  })

  it('a direct debit that fails after it was paid takes all back, also if nobody heard that it was paid', async () => {
    const late = {
      status: 'failed',
      paidAt: '2026-11-20T10:05:00+00:00',
      details: { bankReason: 'No account' },
    }
    const [heard, unheard] = [await paid(), await begun()]
    for (const one of [heard, unheard]) {
      await tell(one, late)
      expect([await balance(one), await statusOf(one)]).toEqual([0n, 'charged_back'])
      expect(await listed(one)).toEqual([])
    }
  })

  it("a refund made in Mollie's dashboard takes its part once nobody can cancel it, and returns it if it fails", async () => {
    const one = await paid()
    const refund = refundOf('7.00', 'queued')
    for (const [status, left] of [
      ['queued', 25_00n],
      ['pending', 25_00n],
      ['processing', 18_00n],
      ['refunded', 18_00n],
      ['failed', 25_00n],
    ] as const) {
      await tell(one, { refunds: [{ ...refund, status }, refundOf('1.00', 'canceled')] })
      expect([status, await balance(one)]).toEqual([status, left])
    }
    // Nobody heard of this one before it failed.
    await tell(one, { refunds: [{ ...refund, status: 'failed' }, refundOf('3.00', 'failed')] })
    expect(await balance(one)).toBe(25_00n)
    expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  })
})

describe('lies post nothing, and are on the list of staff', () => {
  it.each([
    ['over less', { amount: { currency: 'EUR', value: '2.50' } }, 'other_amount'],
    ['over more', { amount: { currency: 'EUR', value: '2500.00' } }, 'other_amount'],
    ['in dollars', { amount: { currency: 'USD', value: '25.00' } }, 'other_currency'],
    ['of nobody', { metadata: { top_up: 'A'.repeat(22) } }, 'unknown_payment'],
    ['without our mark', { metadata: null }, 'unknown_payment'],
    ['over part of a cent', { amount: { currency: 'EUR', value: '25.005' } }, 'unreadable'],
    ['over nothing', { amount: { currency: 'EUR', value: '0.00' } }, 'unreadable'],
    ['over words', { amount: { currency: 'EUR', value: '25,00' } }, 'unreadable'],
    ['over less than nothing', { amount: { currency: 'EUR', value: '-25.00' } }, 'unreadable'],
    ['in a state that is none', { status: 'settled' }, 'unreadable'],
    [
      'with refunds that it hides',
      { amountRefunded: { currency: 'EUR', value: '5.00' } },
      'unreadable',
      25_00n,
    ],
  ])('a payment %s', async (_, lie, cause, booked = 0n) => {
    const one = await begun()
    for (let times = 0; times < 2; times += 1) expect(await tell(one, { status: 'paid', ...lie })).toBe(200)
    expect(await balance(one)).toBe(booked)
    expect(await listed(one)).toMatchObject([{ cause, provider: 'mollie' }])
  })

  it('a second payment of one top-up; a refund of more than was paid; a chargeback in another currency', async () => {
    const one = await paid()
    const second = { ...one.payment, id: `${one.payment.id}2` }
    mollie.payments.set(second.id, second)
    await callAsMollie(url, second)
    await tell(one, {
      refunds: [refundOf('27.00', 'refunded')],
      chargebacks: [chargebackOf('1.00', { amount: { currency: 'USD', value: '1.00' } })],
    })
    expect(await balance(one)).toBe(0n)
    expect((await listed(one)).map(({ cause, amount }) => [cause, amount?.amount])).toEqual([
      ['other_currency', '100'],
      ['more_than_left', '200'],
    ])
    expect(await listed({ ...one, payment: second })).toMatchObject([{ cause: 'paid_twice' }])
  })

  it('an answer about another payment than was asked for', async () => {
    const { payment } = await paid()
    expect(eventsOf(payment.id, payment)).toMatchObject([{ kind: 'paid', amount: 25_00n }])
    expect(eventsOf('tr_12345678', payment)).toMatchObject([{ isOdd: true }])
  })
})

describe('a call of Mollie is a hint to ask, and no more', () => {
  it("books what Mollie says of the payment that is named, whatever top-up's address was called", async () => {
    const [one, other] = [await begun(), await begun()]
    one.payment.status = 'paid'
    await callAsMollie(url, { id: one.payment.id, webhookUrl: other.payment.webhookUrl })
    expect([await balance(one), await balance(other)]).toEqual([25_00n, 0n])
  })

  it('answers 200 to ids that are not there, and asks Mollie for none that nobody could know', async () => {
    const [one, other] = [await begun(), await begun()]
    const address = `${url}/api/payments/mollie/events/`
    const { search } = new URL(one.payment.webhookUrl)
    const { searchParams } = new URL(other.payment.webhookUrl)
    mollie.asked.length = 0
    for (const [query, body] of [
      ['', { id: one.payment.id }],
      [`?of=${one.topUp.id}`, { id: one.payment.id }],
      [`?of=${one.topUp.id}&proof=${searchParams.get('proof')}`, { id: one.payment.id }],
      [search, { id: 'ord_12345678' }],
      [search, { id: '../methods' }],
      [search, {}],
    ] as const) {
      const reply = await fetch(`${address}${query}`, { method: 'POST', body: new URLSearchParams(body) })
      expect([query, reply.status]).toEqual([query, 200])
    }
    expect(mollie.asked).toEqual([])
    expect(await callAsMollie(url, { ...one.payment, id: 'tr_ofAnotherShop' })).toBe(200)
    expect(mollie.asked).toHaveLength(1)
    const twice = await fetch(`${address}${search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `id=${one.payment.id}&id=tr_other123`,
    })
    expect(twice.status).toBe(400)
  })

  it('while Mollie does not answer it is asked to call again, and then counts once', async () => {
    const one = await begun()
    for (const fate of ['away', 'answer lost', 401, 429] as const) {
      mollie.fate = fate
      expect(await tell(one, { status: 'paid' })).toBe(503)
    }
    mollie.fate = 'none'
    expect(await balance(one)).toBe(0n)
    expect(await tell(one)).toBe(200)
    expect(await balance(one)).toBe(25_00n)
  })

  it('a flood of calls for one payment is answered 429', async () => {
    const one = await begun()
    const { rateLimitScale } = app.config
    app.config.rateLimitScale = 0.05
    const answers: number[] = []
    for (let times = 0; times < 5; times += 1) answers.push(await tell(one))
    app.config.rateLimitScale = rateLimitScale
    expect(answers.slice(-1)).toEqual([429])
  })
})

it.each([
  ['EUR', 3720n, '37.20'],
  ['EUR', 5n, '0.05'],
  ['JPY', 500n, '500'],
  ['ISK', 500n, '500'],
  ['HUF', 500_00n, '500.00'],
  ['HUF', 500_50n, undefined],
  ['KWD', 12_340n, undefined],
] as const)('rule 54: in %s %i minor units are %s of Mollie', (currency, amount, value) => {
  expect(toMollie(amount, currency)?.value).toBe(value)
  expect(provider.canCharge?.(amount, currency)).toBe(value !== undefined)
})

it('rule 54: each amount that Mollie takes counts back to the same amount', () => {
  for (const currency of currencies)
    for (const amount of [100n, 12_300n, 990_000n]) {
      const written = toMollie(amount, currency)
      if (written) expect([currency, fromMollie(written)]).toEqual([currency, amount])
    }
})
