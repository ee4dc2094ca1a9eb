import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { listTransactions, listUnbookedEvents, startTopUp } from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { listPayouts, refundTopUp } from '#features/payouts/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { callAsMollie, MOLLIE_KEY, startMollieServer } from '#tests/harness/mollie-server.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { checkRefunds, sendRefund } from './send-refund.ts'

const mollie = await startMollieServer()
afterAll(() => mollie.close())
const test = await startTestApp({
  settings: { MOLLIE_API_KEY: MOLLIE_KEY, MOLLIE_API_ORIGIN: mollie.origin, RATE_LIMIT_SCALE: '1000' },
})
const { app, url } = test
const billing = await signedInStaff(test, { roles: ['billing'] })

beforeEach(() => Object.assign(mollie, { fate: 'none', refundStatus: 'refunded' }))
afterEach(() => expect(mollie.wrong.splice(0)).toEqual([]))

/** A customer who has paid 25.00 by Mollie. */
async function paid() {
  const customer = await signedInCustomer(test)
  const headers = { 'idempotency-key': randomUUID() }
  bodyOf(await customer.api.call(startTopUp, { headers, body: { amount: '2500', provider: 'mollie' } }), 201)
  const payment = must([...mollie.payments.values()].at(-1))
  payment.status = 'paid'
  await callAsMollie(url, payment)
  const { items } = bodyOf(await customer.api.call(listTransactions, { query: {} }), 200)
  return { customer, transaction: must(items[0]).id, payment }
}

type Paid = Awaited<ReturnType<typeof paid>>

const refund = ({ customer, transaction }: Paid, amount?: string) =>
  billing.api.call(refundTopUp, {
    params: { userId: customer.user_id, id: transaction },
    headers: { 'idempotency-key': randomUUID() },
    body: { ...(amount === undefined ? {} : { amount }), reason: 'Asked by letter' },
  })
const asked = async (one: Paid, amount?: string) => bodyOf(await refund(one, amount), 201).id
const send = (payout: string): Promise<boolean> =>
  sendRefund.run(app, { payout }, 'test').then(
    () => true,
    () => false,
  )
const stateOf = async ({ api, user_id }: Customer) => [
  ...bodyOf(await api.call(listPayouts, { query: {} }), 200).items.map(({ state }) => state),
  await balanceOf(app, app.db, user_id),
]

it('gives a part back, and the calls of Mollie about it move nothing more', async () => {
  const one = await paid()
  expect(await send(await asked(one, '1000'))).toBe(true)
  for (let times = 0; times < 3; times += 1) await callAsMollie(url, one.payment)
  expect(await stateOf(one.customer)).toEqual(['sent', 15_00n])
  expect(one.payment.refunds.map(({ amount }) => amount.value)).toEqual(['10.00'])
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it.each(['away', 'answer lost', 401, 409, 429] as const)(
  'asks again where the answer is %s, and refunds once, also when Mollie has forgotten the key',
  async (fate) => {
    const one = await paid()
    const payout = await asked(one)
    mollie.fate = fate
    expect(await send(payout)).toBe(false)
    expect(await stateOf(one.customer)).toEqual(['requested', 0n])
    mollie.fate = 'none'
    mollie.forgetKeys()
    expect([await send(payout), await send(payout)]).toEqual([true, true])
    expect([one.payment.refunds.length, ...(await stateOf(one.customer))]).toEqual([1, 'sent', 0n])
  },
)

it.each([404, 410, 422])('a refund that Mollie refuses by %i is on the balance again', async (fate) => {
  const one = await paid()
  const payout = await asked(one)
  mollie.fate = fate
  expect(await send(payout)).toBe(true)
  expect(await stateOf(one.customer)).toEqual(['failed', 25_00n])
})

it.each([
  ['refunded', ['sent', 0n]],
  ['failed', ['failed', 25_00n]],
  ['canceled', ['failed', 25_00n]],
  ['processing', ['requested', 0n]],
] as const)('a refund under way that is %s later ends so', async (status, end) => {
  const one = await paid()
  mollie.refundStatus = 'queued'
  await send(await asked(one))
  await callAsMollie(url, one.payment)
  expect(await stateOf(one.customer)).toEqual(['requested', 0n])
  must(one.payment.refunds[0]).status = status
  await callAsMollie(url, one.payment)
  expect(await stateOf(one.customer)).toEqual(end)
})

/** Does what the product does each hour; true if it asks about this refund. */
async function checks(payout: string): Promise<boolean> {
  await asOwner(test, `delete from jobs where name = 'send_refund'`)
  await checkRefunds.run(app, {}, 'test')
  const queued = `select key from jobs where name = 'send_refund' and payload ->> 'payout' = $1`
  return (await asOwner(test, queued, [payout])).length === 1
}
const aDayPasses = () => asOwner(test, `update payouts set asked_at = asked_at - interval '25 hours'`)

it.each([
  ['canceled', ['failed', 25_00n]],
  ['failed', ['failed', 25_00n]],
  ['refunded', ['sent', 15_00n]],
  ['queued', ['requested', 15_00n]],
] as const)(
  'rule 61: asks once a day about a refund that Mollie has taken: one that is %s without a call ends so, and is asked for once',
  async (status, end) => {
    const one = await paid()
    mollie.refundStatus = 'queued'
    const payout = await asked(one, '1000')
    await send(payout)
    must(one.payment.refunds[0]).status = status
    expect(await checks(payout)).toBe(false)
    await aDayPasses()
    expect([await checks(payout), await checks(payout)]).toEqual([true, false])
    mollie.forgetKeys()
    expect(await send(payout)).toBe(true)
    expect([...(await stateOf(one.customer)), one.payment.refunds.length]).toEqual([...end, 1])
    await aDayPasses()
    expect(await checks(payout)).toBe(status === 'queued')
  },
)

it('leaves a refund that Mollie has not taken yet to its own attempts, and asks for none anew that Mollie has taken', async () => {
  const one = await paid()
  const payout = await asked(one)
  mollie.fate = 'away'
  expect(await send(payout)).toBe(false)
  await aDayPasses()
  expect(await checks(payout)).toBe(false)
  Object.assign(mollie, { fate: 'none', refundStatus: 'queued' })
  expect(await send(payout)).toBe(true)
  // The key may be of another account by now, which knows nothing of the refund.
  one.payment.refunds.length = 0
  mollie.forgetKeys()
  expect(await send(payout)).toBe(false)
  expect([one.payment.refunds, ...(await stateOf(one.customer))]).toEqual([[], 'requested', 0n])
})

it('gives nothing back by a provider whose key was taken out of the settings', async () => {
  const one = await paid()
  const { mollie: kept } = app.config
  app.config.mollie = { ...kept, apiKey: undefined }
  expect(await refund(one)).toMatchObject({ status: 409, body: refusal(409, 'not_refundable_to_source') })
  app.config.mollie = kept
  expect(await stateOf(one.customer)).toEqual([25_00n])
  expect((await refund(one)).status).toBe(201)
})

it('a refund that lies about its payout or its amount moves nothing, and is on the list of staff', async () => {
  const [one, other] = [await paid(), await paid()]
  mollie.refundStatus = 'queued'
  await send(await asked(one, '1000'))
  const [truth] = one.payment.refunds
  Object.assign(other.payment, { refunds: [{ ...truth, id: 're_ofAnother', status: 'failed' }] })
  await callAsMollie(url, other.payment)
  Object.assign(must(truth), { status: 'failed', amount: { currency: 'EUR', value: '20.00' } })
  await callAsMollie(url, one.payment)
  expect(await stateOf(one.customer)).toEqual(['requested', 15_00n])
  expect(await stateOf(other.customer)).toEqual([25_00n])
  const { items } = bodyOf(await billing.api.call(listUnbookedEvents, { query: {} }), 200)
  expect(items.map(({ cause }) => cause)).toEqual(['unknown_payment', 'unknown_payment'])
})
