import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { afterAll, beforeEach, expect, it } from 'vitest'
import {
  listTransactions,
  listUnbookedEvents,
  settleUnbookedEvent,
  startTopUp,
} from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { listPayouts, refundTopUp } from '#features/payouts/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { deriveKeys } from '#foundation/server/keys.ts'
import { Secret } from '#foundation/server/secret.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { deactivate } from '#features/profile/contract.ts'
import { eraseAccounts, sealed } from './accounts.ts'
import { sendRefund } from './send-refund.ts'

type Refund = {
  id: string
  amount: number
  status: string
  payment_intent: string
  metadata: { payout: string }
}

/** A server that stands in for api.stripe.com: it keeps refunds, and answers an idempotency key as it did before, as long as it knows it. */
const refunds: Refund[] = []
const known = new Map<string, Refund>()
let status = 'succeeded'
/** The fate of the next request to refund: it is lost on its way, its answer is lost, or Stripe refuses it. */
let fate: 'none' | 'request lost' | 'answer lost' | 'refused' = 'none'
const api = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const [path = ''] = (request.url ?? '').split('?')
    const key = String(request.headers['idempotency-key'])
    const answer = (body: object, code = 200) => {
      response.writeHead(code, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (path === '/v1/checkout/sessions')
      return answer({ id: 'cs', object: 'checkout.session', url: 'https://checkout.example.com/1' })
    if (path !== '/v1/refunds') return answer({ id: 'pi', object: 'payment_intent' })
    if (request.method === 'GET')
      return answer({ object: 'list', data: refunds, has_more: false, url: '/v1/refunds' })
    if (fate === 'request lost') return request.socket.destroy()
    if (fate === 'refused')
      return answer({ error: { type: 'invalid_request_error', message: 'Charge has been refunded.' } }, 400)
    const form = new URLSearchParams(text)
    const made = known.get(key) ?? {
      id: `re_${randomUUID()}`,
      object: 'refund',
      amount: JSON.parse(form.get('amount') ?? '0') as number,
      status,
      payment_intent: String(form.get('payment_intent')),
      metadata: { payout: String(form.get('metadata[payout]')) },
    }
    if (!known.has(key)) refunds.push(made)
    known.set(key, made)
    return fate === 'answer lost' ? request.socket.destroy() : answer(made)
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
    RATE_LIMIT_SCALE: '1000',
  },
})
const { app, url } = test
const { webhooks } = new Stripe('sk_test_unused')
const billing = await signedInStaff(test, { roles: ['billing'] })

beforeEach(() => {
  refunds.length = 0
  known.clear()
  status = 'succeeded'
  fate = 'none'
})

/** Posts an event as Stripe does, signed by the SDK's own tool for tests. */
async function tell(type: string, object: object): Promise<void> {
  const payload = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, data: { object } })
  const reply = await fetch(`${url}/api/payments/stripe/events/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': webhooks.generateTestHeaderString({ payload, secret }),
    },
    body: payload,
  })
  expect(reply.status).toBe(200)
}

/** A customer who has paid 25.00 by card. */
async function paid(by?: Customer) {
  const customer = by ?? (await signedInCustomer(test))
  const topUp = bodyOf(
    await customer.api.call(startTopUp, {
      headers: { 'idempotency-key': randomUUID() },
      body: { amount: '2500', provider: 'stripe' },
    }),
    201,
  )
  const payment_intent = `pi_${randomUUID()}`
  await tell('checkout.session.completed', {
    object: 'checkout.session',
    client_reference_id: topUp.id,
    payment_status: 'paid',
    payment_intent,
    amount_total: 2500,
    currency: 'eur',
  })
  const { items } = bodyOf(await customer.api.call(listTransactions, { query: {} }), 200)
  return { customer, payment: must(items[0]).id, payment_intent }
}

const refund = (customer: Customer, id: string, amount?: string) =>
  billing.api.call(refundTopUp, {
    params: { userId: customer.user_id, id },
    headers: { 'idempotency-key': randomUUID() },
    body: { ...(amount === undefined ? {} : { amount }), reason: 'Asked by letter' },
  })
/** Does the job of a payout as a worker does; false if it fails and would be tried again. */
const send = (payout: string): Promise<boolean> =>
  sendRefund.run(app, { payout }, 'test').then(
    () => true,
    () => false,
  )
const stateOf = async ({ api: client }: Customer) =>
  bodyOf(await client.call(listPayouts, { query: {} }), 200).items.map(({ state }) => state)
const balance = ({ user_id }: Customer) => balanceOf(app, app.db, user_id)
const euro = (made: Refund) => ({ object: 'refund', currency: 'eur', ...made })

it('rule 61: gives a payment back by its provider, no more than is left of it and may leave', async () => {
  const { customer, payment } = await paid()
  expect(await refund(customer, payment, '2501')).toMatchObject({
    status: 409,
    body: refusal(409, 'nothing_to_pay_out'),
  })
  const { id, way } = bodyOf(await refund(customer, payment, '1000'), 201)
  expect([way, await balance(customer), await stateOf(customer)]).toEqual(['source', 15_00n, ['requested']])
  expect(await send(id)).toBe(true)
  expect(refunds).toMatchObject([{ amount: 1000, metadata: { payout: id } }])
  expect(await stateOf(customer)).toEqual(['sent'])
  // The event of the same refund, told twice and in two kinds, moves nothing more.
  for (const type of ['refund.created', 'refund.updated', 'refund.created'])
    await tell(type, euro(must(refunds[0])))
  expect(await balance(customer)).toBe(15_00n)
  const all = bodyOf(await refund(customer, payment), 201)
  expect([all.amount.amount, await balance(customer)]).toEqual(['1500', 0n])
  expect((await refund(customer, payment)).status).toBe(409)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it.each(['request lost', 'answer lost'] as const)(
  'asks again where the %s, and refunds once, also when the provider has forgotten the key',
  async (lost) => {
    const { customer, payment } = await paid()
    const { id } = bodyOf(await refund(customer, payment), 201)
    fate = lost
    expect(await send(id)).toBe(false)
    expect([await stateOf(customer), await balance(customer)]).toEqual([['requested'], 0n])
    fate = 'none'
    known.clear()
    expect(await Promise.all([send(id), send(id)])).toEqual([true, true])
    expect(await send(id)).toBe(true)
    expect([refunds.length, await stateOf(customer), await balance(customer)]).toEqual([1, ['sent'], 0n])
  },
)

it('what the provider refuses is on the balance again', async () => {
  const { customer, payment } = await paid()
  const { id } = bodyOf(await refund(customer, payment), 201)
  fate = 'refused'
  expect(await send(id)).toBe(true)
  expect([await stateOf(customer), await balance(customer)]).toEqual([['failed'], 25_00n])
})

it('a refund under way ends by its signed event, and what came back never leaves by a later one', async () => {
  const { customer, payment } = await paid()
  const { id } = bodyOf(await refund(customer, payment), 201)
  status = 'pending'
  await send(id)
  const made = must(refunds[0])
  await tell('refund.created', euro(made))
  expect(await stateOf(customer)).toEqual(['requested'])
  await tell('refund.updated', euro({ ...made, status: 'succeeded' }))
  expect(await stateOf(customer)).toEqual(['sent'])
  await tell('refund.failed', euro({ ...made, status: 'failed' }))
  await tell('refund.updated', euro({ ...made, status: 'failed' }))
  await tell('refund.updated', euro({ ...made, status: 'succeeded' }))
  expect([await stateOf(customer), await balance(customer)]).toEqual([['returned'], 25_00n])
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it('an event that lies about a refund moves nothing, and is on the list of staff', async () => {
  const [one, other] = [await paid(), await paid()]
  const { id } = bodyOf(await refund(one.customer, one.payment, '1000'), 201)
  const truth = {
    id: 're_1',
    amount: 1000,
    status: 'failed',
    payment_intent: one.payment_intent,
    metadata: { payout: id },
  }
  await tell('refund.failed', euro({ ...truth, amount: 2000 }))
  await tell('refund.failed', { ...euro(truth), currency: 'usd' })
  await tell('refund.failed', euro({ ...truth, payment_intent: other.payment_intent }))
  await tell('refund.failed', euro({ ...truth, metadata: { payout: 'nobody' } }))
  expect([await balance(one.customer), await balance(other.customer)]).toEqual([15_00n, 25_00n])
  const { items } = bodyOf(await billing.api.call(listUnbookedEvents, { query: {} }), 200)
  expect(items.map(({ cause }) => cause)).toEqual(Array.from({ length: 4 }, () => 'unknown_payment'))
  expect(await stateOf(one.customer)).toEqual(['requested'])
})

const byHand = { id: 're_2', object: 'refund', status: 'pending', currency: 'eur' }

it('a refund made by hand in the dashboard of the provider counts as before', async () => {
  const { customer, payment_intent } = await paid()
  await tell('refund.created', { ...byHand, amount: 700, payment_intent })
  expect(await balance(customer)).toBe(18_00n)
})

it('a refund that fails while it is on its way is on the balance again, once, and says why', async () => {
  const { customer, payment } = await paid()
  const { id } = bodyOf(await refund(customer, payment, '1000'), 201)
  status = 'pending'
  await send(id)
  const failed = { ...euro(must(refunds[0])), status: 'failed' }
  // Both events tell of the same end.
  await Promise.all([tell('refund.failed', failed), tell('refund.updated', failed)])
  await tell('refund.updated', { ...failed, status: 'pending' })
  expect([await stateOf(customer), await balance(customer)]).toEqual([['failed'], 25_00n])
  // The whole payment may go back the same way after that.
  expect(bodyOf(await refund(customer, payment), 201).amount.amount).toBe('2500')
})

it('two members who refund one payment at once give back no more than it was, and each is told in one word', async () => {
  const { customer, payment } = await paid()
  const answers = await Promise.all([
    refund(customer, payment),
    refund(customer, payment),
    refund(customer, payment, '1'),
  ])
  const done = answers.filter(({ status: code }) => code === 201)
  for (const answer of answers.filter(({ status: code }) => code !== 201))
    expect(answer).toMatchObject({ status: 409, body: refusal(409, 'nothing_to_pay_out') })
  const asked = done.map((answer) => BigInt(bodyOf(answer, 201).amount.amount))
  expect(asked.reduce((sum, amount) => sum + amount, 0n)).toBe(25_00n - (await balance(customer)))
  for (const answer of done) await send(bodyOf(answer, 201).id)
  expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(2500)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it('what the bank or the dashboard took before cannot be given back, and what a won dispute returns can', async () => {
  const { customer, payment, payment_intent } = await paid()
  await tell('refund.created', { ...byHand, amount: 700, payment_intent })
  expect(await refund(customer, payment, '1801')).toMatchObject({ status: 409 })
  const dispute = { id: 'du_1', object: 'dispute', amount: 2500, currency: 'eur', payment_intent }
  await tell('charge.dispute.funds_withdrawn', dispute)
  expect([await balance(customer), await unbookedOf(customer)]).toEqual([0n, [['more_than_left', '700']]])
  expect(await refund(customer, payment)).toMatchObject({
    status: 409,
    body: refusal(409, 'nothing_to_pay_out'),
  })
  await tell('charge.dispute.closed', { ...dispute, status: 'won' })
  const back = bodyOf(await refund(customer, payment), 201)
  expect([back.amount.amount, await balance(customer)]).toEqual(['1800', 0n])
  expect(await unbookedOf(customer)).toEqual([])
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

/** The events about a customer that wait for staff, by their cause, with what they are about. */
const unbookedOf = async ({ user_id }: Customer) =>
  bodyOf(await billing.api.call(listUnbookedEvents, { query: {} }), 200)
    .items.filter((item) => item.customer?.id === user_id)
    .map(({ cause, amount }) => [cause, amount?.amount])

it('rule 61: the same refund made on the page of the provider meanwhile ends the one of here, which is not asked for, and comes back as one', async () => {
  const { customer, payment, payment_intent } = await paid()
  fate = 'request lost'
  const { id } = bodyOf(await refund(customer, payment), 201)
  const hand = { ...byHand, id: 're_3', amount: 2500, payment_intent }
  await tell('refund.created', hand)
  expect([await stateOf(customer), await balance(customer)]).toEqual([['sent'], 0n])
  expect([await send(id), refunds]).toEqual([true, []])
  expect([await unbookedOf(customer), await stateOf(customer)]).toEqual([[], ['sent']])
  // It failed after all: told twice, it is on the balance once.
  for (const type of ['refund.failed', 'refund.updated']) await tell(type, { ...hand, status: 'failed' })
  expect([await stateOf(customer), await balance(customer)]).toEqual([['returned'], 25_00n])
  expect(await unbookedOf(customer)).toEqual([])
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it('rule 61: a second refund of here that went out all the same is on the list of staff, and never brings money back', async () => {
  const { customer, payment, payment_intent } = await paid()
  fate = 'request lost'
  const { id } = bodyOf(await refund(customer, payment), 201)
  await tell('refund.created', { ...byHand, id: 're_4', amount: 2500, payment_intent })
  const second = { id: 're_5', amount: 2500, status: 'succeeded', payment_intent, metadata: { payout: id } }
  await tell('refund.updated', euro(second))
  await tell('refund.failed', euro({ ...second, status: 'failed' }))
  expect([await stateOf(customer), await balance(customer)]).toEqual([['sent'], 0n])
  expect(await unbookedOf(customer)).toEqual([['refund_under_way', '2500']])
})

it.each([
  ['of another amount', ['1000'], 2500, 0n, [['refund_under_way', '1000']]],
  ['that may be one of two under way', ['1000', '1000'], 1000, 0n, [['refund_under_way', '500']]],
  ['of what is still left', ['1000'], 1000, 5_00n, []],
] as const)(
  'rule 61: a refund made on the page of the provider %s ends none of here, and no cent is lost from sight',
  async (_name, amounts, amount, left, unbooked) => {
    const { customer, payment, payment_intent } = await paid()
    fate = 'request lost'
    for (const asked of amounts) bodyOf(await refund(customer, payment, asked), 201)
    await tell('refund.created', { ...byHand, id: `re_${randomUUID()}`, amount, payment_intent })
    expect([await stateOf(customer), await balance(customer)]).toEqual([amounts.map(() => 'requested'), left])
    expect(await unbookedOf(customer)).toEqual(unbooked)
    expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  },
)

it('rule 61: one that the provider refuses after a refund by hand of another amount is on the balance, and does not leave a second time', async () => {
  const { customer, payment, payment_intent } = await paid()
  fate = 'request lost'
  const { id } = bodyOf(await refund(customer, payment, '1000'), 201)
  await tell('refund.created', { ...byHand, id: 're_6', amount: 2500, payment_intent })
  fate = 'refused'
  expect(await send(id)).toBe(true)
  expect([await stateOf(customer), await balance(customer)]).toEqual([['failed'], 10_00n])
  expect(await unbookedOf(customer)).toEqual([['refund_under_way', '1000']])
  expect(await refund(customer, payment, '1')).toMatchObject({
    status: 409,
    body: refusal(409, 'nothing_to_pay_out'),
  })
})

it('asks Stripe what became of a refund that it has taken, and never for another one', async () => {
  const { customer, payment } = await paid()
  status = 'pending'
  const { id } = bodyOf(await refund(customer, payment), 201)
  await send(id)
  const [made] = refunds.splice(0)
  known.clear()
  expect([await send(id), refunds, await stateOf(customer)]).toEqual([false, [], ['requested']])
  refunds.push({ ...must(made), status: 'canceled' })
  expect(await send(id)).toBe(true)
  expect([refunds.length, await stateOf(customer), await balance(customer)]).toEqual([1, ['failed'], 25_00n])
})

it('rule 61: a dispute of a payment that went back to its source is held until it is won, told once or twice, or until staff have settled it', async () => {
  const { customer, payment, payment_intent } = await paid()
  await send(bodyOf(await refund(customer, payment), 201).id)
  await paid(customer)
  const dispute = { object: 'dispute', amount: 2500, currency: 'eur', payment_intent }
  const mayLeave = async () => bodyOf(await customer.api.call(listPayouts, { query: {} }), 200).payable.amount
  await tell('charge.dispute.funds_withdrawn', { ...dispute, id: 'du_2' })
  expect([await mayLeave(), await unbookedOf(customer)]).toEqual(['0', [['more_than_left', '2500']]])
  await tell('charge.dispute.funds_reinstated', { ...dispute, id: 'du_other' })
  expect(await mayLeave()).toBe('0')
  for (const type of ['charge.dispute.closed', 'charge.dispute.funds_reinstated'])
    await tell(type, { ...dispute, id: 'du_2', status: 'won' })
  expect([await mayLeave(), await balance(customer)]).toEqual(['2500', 25_00n])
  expect(await unbookedOf(customer)).toEqual([['waits', '2500']])
  // A line that a person has settled is not there to be closed, nor is one of another dispute: the return is seen.
  await tell('charge.dispute.funds_withdrawn', { ...dispute, id: 'du_3' })
  const { items } = bodyOf(await billing.api.call(listUnbookedEvents, { query: {} }), 200)
  const line = must(items.find((item) => item.customer?.id === customer.user_id))
  const settled = { params: { id: line.id }, body: { note: 'Taken off another payment' } }
  bodyOf(await billing.api.call(settleUnbookedEvent, settled), 200)
  expect(await mayLeave()).toBe('2500')
  await tell('charge.dispute.funds_withdrawn', { ...dispute, id: 'du_4' })
  await tell('charge.dispute.closed', { ...dispute, id: 'du_3', status: 'won' })
  expect([await mayLeave(), (await unbookedOf(customer)).map(([cause]) => cause)]).toEqual([
    '0',
    ['more_than_taken', 'more_than_left', 'waits'],
  ])
})

it.each([
  ['arrives', 'succeeded', 'sent', /has left us/],
  ['comes back', 'failed', 'failed', /contact us with another bank account/],
] as const)(
  'rule 61: tells the address of an account deleted meanwhile that its refund %s, and forgets it after 30 days',
  async (_name, end, state, words) => {
    status = 'pending'
    const { customer, payment } = await paid()
    const { id } = bodyOf(await refund(customer, payment), 201)
    await test.mails.next(customer.email, 40_000)
    await send(id)
    expect((await customer.api.call(deactivate, { body: {} })).status).toBe(204)
    const kept = () =>
      asOwner(
        test,
        'select address_sealed from payouts where public_id = $1 and address_sealed is not null',
        [id],
      )
    expect(JSON.stringify(await kept())).toMatch(/^\[.+\]$/)
    expect(JSON.stringify(await kept())).not.toContain(customer.email)
    // It is sealed anew when the key changes, here there and back.
    const [first, second] = [
      app.config.secretKey,
      new Secret(`a-second-key-of-the-tests-which-is-${randomUUID()}`),
    ]
    for (const keys of [deriveKeys(second, first), deriveKeys(first, second)]) {
      app.keys = keys
      while ((await transaction(app, 'system', (tx) => sealed.reseal(app, tx, 100))) > 0);
      expect(JSON.stringify(await kept())).toContain(`"${keys.boxId}.`)
    }
    await tell(
      'refund.updated',
      euro({ ...must(refunds.find(({ metadata }) => metadata.payout === id)), status: end }),
    )
    const { text } = await test.mails.about(customer.email, words)
    expect(text).toContain('We keep this address for this refund only')
    expect(text).not.toContain('/account/finances')
    const [row] = await asOwner(test, 'select state from payouts where public_id = $1', [id])
    expect(row).toEqual({ state })
    await eraseAccounts(app)
    expect(await kept()).toHaveLength(1)
    await asOwner(test, `update payouts set ended_at = now() - interval '31 days' where public_id = $1`, [id])
    await eraseAccounts(app)
    expect(await kept()).toEqual([])
  },
)
