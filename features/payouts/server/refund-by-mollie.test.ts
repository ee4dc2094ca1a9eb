import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { listTransactions, listUnbookedEvents, startTopUp } from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { listPayouts, refundTopUp } from '#features/payouts/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { callAsMollie, MOLLIE_KEY, startMollieServer } from '#tests/harness/mollie-server.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { sendRefund } from './send-refund.ts'

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

const asked = async ({ customer, transaction }: Awaited<ReturnType<typeof paid>>, amount?: string) =>
  bodyOf(
    await billing.api.call(refundTopUp, {
      params: { userId: customer.user_id, id: transaction },
      headers: { 'idempotency-key': randomUUID() },
      body: { ...(amount === undefined ? {} : { amount }), reason: 'Asked by letter' },
    }),
    201,
  ).id
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
