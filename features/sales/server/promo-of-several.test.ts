import { expect, it } from 'vitest'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { endPromoCode, makePromoCode } from '#features/licences/server/licences.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { bulk, newServers, previewOf } from '#tests/harness/bulk.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { begunCheckout, checkoutState, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { buyer, doLicenceJobs, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

// Standard costs 19.90 a month before VAT of 19 %.
const test = await startTestApp({ settings: { STAFF_APPROVALS: 'off' } })
const { app } = test
await stockShop(test)
await sellLarge(test)
const plan = 'standard-month'

type Wanted = Partial<Parameters<typeof makePromoCode>[2]>
const usual = {
  percent: 20,
  amount: null,
  editions: null,
  first_order_only: false,
  renewals: 1,
  uses: 10,
  note: '',
  expires_at: null,
}
const make = (code: string, wanted: Wanted = {}) =>
  transaction(app, 'system', (tx) => makePromoCode(app, tx, { ...usual, code, ...wanted }, { by: null }))
const order = (count: number, promo: string) =>
  ({ act: 'order', hosts: newServers(count), plan, promo }) as const
const balance = ({ user_id }: Customer) => balanceOf(app, app.db, user_id)
const totalOf = async (customer: Customer, wish: Parameters<typeof previewOf>[1]) =>
  BigInt(bodyOf(await previewOf(customer, wish), 200).expected_total.amount)
const soundBooks = async () => {
  await doLicenceJobs(test)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  expect(await mistakesIn(test)).toEqual([])
}

it('rule 66: a code lowers each server of an order for several, counts one use, and goes on with their renewals', async () => {
  await make('TWENTY')
  const customer = await buyer(test, 100_000n)
  const { servers } = bodyOf(await bulk(customer, order(3, 'twenty')), 200)
  // Three times 15.92, and 19 % on the sum.
  expect(await balance(customer)).toBe(100_000n - 5683n)
  expect((await previewOf(customer, order(1, 'TWENTY'))).body).toMatchObject(refusal(409, 'promo_used'))
  const renewed = { act: 'renew', host_ids: servers.map(({ id }) => id) } as const
  expect(await totalOf(customer, renewed)).toBe(5683n)
  bodyOf(await bulk(customer, renewed), 200)
  expect(await totalOf(customer, renewed)).toBe(7104n)
  await soundBooks()
})

it('rule 66: an amount is taken off once; its servers share it, and each keeps its share', async () => {
  await make('TEN', { percent: null, amount: 1000n })
  const customer = await buyer(test, 100_000n)
  const { servers } = bodyOf(await bulk(customer, order(3, 'TEN')), 200)
  // 59.70 less 10.00, and 19 % on it.
  expect(await balance(customer)).toBe(100_000n - 5914n)
  const one = { act: 'renew' as const, host_ids: [must(servers[0]).id] }
  expect(await totalOf(customer, one)).toBe(1972n)
  await soundBooks()
})

it('rule 66: what costs nothing is ordered for several, and codes that do not hold are refused as a whole', async () => {
  await make('ALL', { percent: 100 })
  await make('OTHER', { editions: ['large'] })
  const customer = await buyer(test, 0n)
  const refused = async (wish: Parameters<typeof previewOf>[1]) => (await previewOf(customer, wish)).body
  expect(await refused(order(2, 'OTHER'))).toMatchObject(refusal(409, 'promo_other_edition'))
  expect(await refused(order(2, 'NONE'))).toMatchObject(refusal(400, 'unknown_promo'))
  const { servers, invoices } = bodyOf(await bulk(customer, order(2, 'ALL')), 200)
  expect(invoices).toEqual([])
  const upgrade = {
    act: 'upgrade',
    host_ids: servers.map(({ id }) => id),
    plan: 'large-month',
    promo: 'TWENTY',
  } as const
  expect(await refused(upgrade)).toMatchObject(refusal(400, 'invalid'))
  await soundBooks()
})

it('rule 66: a checkout for several keeps its code; one that has ended meanwhile leaves the money on the balance', async () => {
  await make('PAID')
  const ended = await make('ENDED')
  for (const [code, state] of [
    ['PAID', 'done'],
    ['ENDED', 'failed'],
  ] as const) {
    const customer = await buyer(test, 0n)
    const { promo, ...wish } = order(2, code)
    const { expected_total } = bodyOf(await previewOf(customer, { ...wish, promo }), 200)
    const { plan: slug, ...several } = wish
    const { id } = await begunCheckout(customer, {
      for: 'bulk',
      bulk: several,
      expected_total,
      plan: slug,
      promo,
    })
    if (code === 'ENDED') await transaction(app, 'system', (tx) => endPromoCode(tx, ended.id, { by: null }))
    await postPayment(test, paymentEvent(id, 'paid'))
    expect(await checkoutState(customer, id)).toMatchObject({ state })
    expect(await balance(customer)).toBe(state === 'done' ? 0n : BigInt(expected_total.amount))
  }
  await soundBooks()
})

// Seen red with the first order read before the balance was locked: both orders were lowered.
it('rule 66: of orders for several at once, two codes for the first one lower one of them', async () => {
  for (let round = 0; round < 4; round += 1) {
    const customer = await buyer(test, 100_000n)
    const wishes = []
    for (const name of [`FIRST-${round}`, `OTHER-${round}`]) {
      await make(name, { first_order_only: true })
      const wish = order(2, name)
      wishes.push({ wish, expected_total: toMoney(await totalOf(customer, wish), 'EUR') })
    }
    const replies = await Promise.all(
      wishes.map(({ wish, expected_total }) => bulk(customer, wish, { expected_total })),
    )
    const [done, refused] = replies.toSorted((one, other) => one.status - other.status)
    expect(done?.status).toBe(200)
    expect(refused).toMatchObject({ status: 409, body: refusal(409, 'promo_first_order_only') })
  }
  await soundBooks()
}, 60_000)
