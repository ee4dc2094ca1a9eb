import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { bookRefund } from './book-refund.ts'
import { updateHost } from '#features/hosts/contract.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bulk, freeServers, paidServers, previewOf } from '#tests/harness/bulk.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { agreed } from '#tests/harness/payers.ts'
import { buyer, doLicenceJobs, orderLicence, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { addPlan } from '#features/licences/server/catalogue.ts'
import { partsOfSpending } from './parts.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
const plan = 'standard-month'

const balance = ({ user_id }: Customer) => balanceOf(test.app, test.app.db, user_id)
const spendingsOf = async ({ api }: Customer) =>
  bodyOf(await api.call(listTransactions, { query: {} }), 200).items.filter(({ type }) =>
    ['spend', 'inner_spending'].includes(type),
  )
const exact = async () => {
  expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })
  expect(await mistakesIn(test)).toEqual([])
}
const shown = { expected_total: { amount: '9472', currency: 'EUR' } }

it('L-28 of bulks and single renewals at once each is charged once or refused whole, and nobody waits for another for ever', async () => {
  const customer = await buyer(test, 30_000n)
  const ids = await freeServers(customer, 4)
  const backwards = ids.toReversed()
  const answers = await Promise.all([
    untilAnswered(() => bulk(customer, { act: 'renew', host_ids: ids, plan }, shown)),
    untilAnswered(() => bulk(customer, { act: 'renew', host_ids: backwards, plan }, shown)),
    ...ids.map((id) => untilAnswered(() => orderLicence(customer, id))),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 201, 201, 201])
  expect(await balance(customer)).toBe(30_000n - 2n * 9472n - 4n * 2368n)
  expect(await spendingsOf(customer)).toHaveLength(6)
  for (const hostId of ids)
    expect(
      bodyOf(await customer.api.call(listPaidPeriods, { params: { hostId }, query: {} }), 200).items,
    ).toHaveLength(3)
  await exact()
})

it('L-28 a double click with one key charges once; two bulks share a balance that suffices for one', async () => {
  const customer = await buyer(test, 9472n + 9471n)
  const ids = await freeServers(customer, 4)
  const key = randomUUID()
  const clicks = await Promise.all(
    [1, 2, 3].map(() =>
      untilAnswered(() => bulk(customer, { act: 'renew', host_ids: ids, plan }, { ...shown, key })),
    ),
  )
  expect(new Set(clicks.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
  expect(await balance(customer)).toBe(9471n)
  const one = await buyer(test, 9472n)
  const theirs = await freeServers(one, 4)
  const both = await Promise.all(
    [1, 2].map(() => untilAnswered(() => bulk(one, { act: 'renew', host_ids: theirs, plan }, shown))),
  )
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 402]))
  expect(await balance(one)).toBe(0n)
  await exact()
})

it('L-28 bulks of several payers beside the automatic renewals of the same servers stop exactly at their limits', async () => {
  const owner = await buyer(test, 50_000n)
  const payers = [await buyer(test, 50_000n), await buyer(test, 50_000n)]
  const ids = await paidServers(owner, 6)
  const limit = 3n * 2368n + 2367n
  await agreed(owner, must(payers[0]), { host_ids: ids.slice(0, 2), month_limit: `${limit}` })
  await agreed(owner, must(payers[1]), { host_ids: ids.slice(2, 4), month_limit: `${limit}` })
  for (const hostId of ids)
    bodyOf(await owner.api.call(updateHost, { params: { hostId }, body: { auto_renew: true } }), 200)
  const preview = bodyOf(await previewOf(owner, { act: 'renew', host_ids: ids }), 200)
  const asShown = { expected_total: preview.expected_total }
  await passTime(test, 30)
  const [first, second] = await Promise.all([
    untilAnswered(() => bulk(owner, { act: 'renew', host_ids: ids }, asShown)),
    untilAnswered(() => bulk(owner, { act: 'renew', host_ids: ids.toReversed() }, asShown)),
    doLicenceJobs(test),
  ])
  for (const { status } of [first, second]) expect([200, 402]).toContain(status)
  for (const payer of payers) {
    const spent = 50_000n - (await balance(payer))
    expect(spent <= limit && spent >= 2n * 2368n - 1n).toBe(true)
  }
  await exact()
})

// Prices whose VAT is no whole cent, so that shares differ.
const prices = [1n, 3n, 333n, 1337n, 2971n]
for (const [place, price_net] of prices.entries())
  await transaction(test.app, 'system', (tx) =>
    addPlan(tx, {
      slug: `odd-${place}`,
      name: { en: 'Odd', de: 'Odd', ru: 'Odd' },
      term: 'P1M',
      price_net,
    }),
  )

it('L-29 lines, charge, values and shares are equal sums after any refunds of parts', async () => {
  const runs = Number(process.env['BULK_RUNS'] ?? 6)
  const purchase = fc.array(fc.nat(prices.length - 1), { minLength: 2, maxLength: 6 })
  const refunds = fc.array(fc.record({ which: fc.nat(5), percent: fc.integer({ min: 1, max: 100 }) }), {
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(purchase, refunds, async (plans, steps) => {
      const customer = await buyer(test, 1_000_000n)
      const ids = await freeServers(customer, plans.length)
      for (const [place, hostId] of ids.entries())
        bodyOf(
          await orderLicence(customer, hostId, {
            plan: `odd-${must(plans[place])}`,
            total: withVat(must(prices[must(plans[place])])),
          }),
          201,
        )
      const before = await balance(customer)
      const { transactions } = bodyOf(await bulk(customer, { act: 'renew', host_ids: ids }), 200)
      const net = plans.reduce((sum, one) => sum + must(prices[one]), 0n)
      const total = withVat(net)
      expect(await balance(customer)).toBe(before - total)
      const sale = { user_id: customer.user_id, transaction_id: must(transactions[0]).id }
      let back = 0n
      for (const { which, percent } of steps) {
        const parts = await partsOfSpending(test.app.db, sale)
        const part = must(parts[which % parts.length])
        const amount = (part.left.total * BigInt(percent)) / 100n
        if (amount === 0n) continue
        await transaction(test.app, 'system', (tx) =>
          bookRefund(test.app, tx, { ...sale, part: { order_id: part.order_id }, amount, reason: 'x' }),
        )
        back += amount
      }
      const parts = await partsOfSpending(test.app.db, sale)
      expect(parts.reduce((sum, { left }) => sum + left.total, 0n)).toBe(total - back)
      expect(parts.every(({ left }) => left.net >= 0n && left.vat >= 0n)).toBe(true)
      const [sums] = (await asOwner(
        test,
        `select sum(net)::text as net from paid_periods where transaction_id = $1`,
        [sale.transaction_id],
      )) as { net: string }[]
      expect(parts.reduce((sum, { left }) => sum + left.net, 0n)).toBe(BigInt(must(sums).net))
      expect(await balance(customer)).toBe(before - total + back)
    }),
    { numRuns: runs },
  )
  await exact()
})

const withVat = (net: bigint): bigint => net + (net * 19n + 50n) / 100n
