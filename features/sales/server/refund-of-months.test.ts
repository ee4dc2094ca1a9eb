import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import { customerTransactions } from '#features/finance/contract.ts'
import { addExtra } from '#features/licences/server/licences.ts'
import { listPaidServers, orderHost, refundTransaction } from '#features/sales/contract.ts'
import { toMoney, vatOf } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { anyAddress, buyer, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { refundForOperator } from './refund.ts'

// A year of Standard costs 199.00, the fee 10.00; VAT is 19 %: an invoice above 250.00 needs an address.
const YEAR = 19_900n
const FEE = 1000n
const gross = (net: bigint) => net + vatOf(net, 1900n)

const test = await startTestApp({ settings: { STAFF_APPROVALS: 'off' } })
const { app } = test
await stockShop(test)
const billing = await signedInStaff(test, { roles: ['billing'] })
const name = { en: 'Setup', de: 'Einrichtung', ru: 'Настройка' }
await transaction(app, 'system', (tx) =>
  addExtra(tx, { slug: 'setup', kind: 'setup', net: FEE, most: 1, edition: 'standard', name }),
)

/** Sells a server for a year, with the fee. Returns the calls for its refund. */
async function sold() {
  const { api, user_id } = await buyer(test, 100_000n)
  const body = { name: 'shop', ipv4: anyAddress(), plan: 'standard-year', begin_now: true }
  bodyOf(
    await api.call(orderHost, {
      headers: { 'idempotency-key': randomUUID() },
      body: { ...body, expected_total: toMoney(gross(YEAR + FEE), 'EUR') },
    }),
    201,
  )
  const { items } = bodyOf(
    await billing.api.call(customerTransactions, { params: { userId: user_id }, query: {} }),
    200,
  )
  const { id } = must(items.find(({ type }) => type === 'spend'))
  const params = { userId: user_id, id }
  return {
    user_id,
    transaction_id: id,
    paid: async () => must(bodyOf(await billing.api.call(listPaidServers, { params }), 200).items[0]),
    refund: (sum: { months?: number; amount?: string }) =>
      billing.api.call(refundTransaction, {
        params,
        headers: { 'idempotency-key': randomUUID() },
        body: { ...sum, reason: 'as agreed' },
      }),
    values: async () =>
      must(
        (
          await asOwner(
            test,
            `select p.net::int, p.once_net::int as once from paid_periods p where p.transaction_id = $1`,
            [id],
          )
        )[0],
      ),
    hasEnded: async () =>
      must((await asOwner(test, `select ended from paid_periods where transaction_id = $1`, [id]))[0]),
  }
}

const refused = (status: number, error: object) => ({ status, body: { errors: [error] } })
const price = (months: bigint) => (2n * gross(YEAR) * months + 12n) / 24n

it('L-29 some of the months are refunded by their price, without a share of the fee, and lower the value of the time', async () => {
  const { paid, refund, values } = await sold()
  expect(await paid()).toMatchObject({
    total: { amount: String(gross(YEAR + FEE)) },
    total_of_time: { amount: String(gross(YEAR)) },
    left_of_time: { amount: String(gross(YEAR)) },
  })
  const back = bodyOf(await refund({ months: 1 }), 201)
  expect(back.amount).toEqual(toMoney(price(1n), 'EUR'))
  expect(await values()).toEqual({ net: 18_242, once: 1000 })
  expect(await paid()).toMatchObject({ left_of_time: { amount: String(gross(YEAR) - price(1n)) } })
  // An amount of money that names no months is taken from the fee first, as before.
  expect((await refund({ amount: '595' })).status).toBe(201)
  expect(await values()).toEqual({ net: 18_242, once: 500 })
  expect(await refund({ months: 12 })).toMatchObject(refused(409, { code: 'not_refundable' }))
  expect(await refund({ months: 1, amount: '1974' })).toMatchObject(refused(400, { param: 'months' }))
})

it('L-29 once all months are refunded the licence ends, and the fee stays paid', async () => {
  const { refund, values, hasEnded } = await sold()
  expect((await refund({ months: 7 })).status).toBe(201)
  expect(await hasEnded()).toEqual({ ended: null })
  expect((await refund({ months: 5 })).status).toBe(201)
  expect(await hasEnded()).toEqual({ ended: 'refunded' })
  expect(await values()).toEqual({ net: 0, once: 1000 })
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  expect(await mistakesIn(test)).toEqual([])
})

it('L-29 the command line refunds months by the same price', async () => {
  const { user_id, transaction_id, values } = await sold()
  const back = await transaction(app, 'system', (tx) =>
    refundForOperator(app, tx, { user_id, transaction_id, months: 2, reason: 'as agreed' }),
  )
  expect(back.amount).toEqual(toMoney(price(2n), 'EUR'))
  expect(await values()).toMatchObject({ once: 1000 })
})
