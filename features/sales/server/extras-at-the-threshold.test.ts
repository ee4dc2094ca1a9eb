import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { listPlans } from '#features/licences/contract.ts'
import { withExtras } from '#features/licences/rules.ts'
import { addExtra } from '#features/licences/server/licences.ts'
import { updateProfile } from '#features/profile/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { anyAddress, buyer, orderHost, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { VAT_EU_CONSUMERS: 'threshold' } })
const { app } = test
await stockShop(test)
const plan = 'standard-month'
await transaction(app, 'system', (tx) =>
  addExtra(tx, {
    slug: 'course',
    kind: 'once',
    net: 2500n,
    most: 2,
    edition: 'standard',
    name: { en: 'Course', de: 'Kurs', ru: 'Курс' },
  }),
)

// Seen red while the dialog counted the rate of the plan alone: each order was refused as `price_changed`, for ever.
it('rules 46, 62: an order that passes the threshold by its extras shows the rate by which it is judged', async () => {
  const customer = await buyer(test, 50_000n)
  const { api } = customer
  await api.call(updateProfile, { body: { country: 'FR' } })
  const shown = async () => {
    const { items } = bodyOf(await api.call(listPlans, { query: {} }), 200)
    return must(items.find(({ slug }) => slug === plan))
  }
  expect(await shown(), 'nobody reads of a threshold that is far').not.toHaveProperty('vat_above')
  const { host } = bodyOf(await orderHost(customer), 201)
  // 30 euros are left: enough for the plan, and for nothing with it.
  await issuedInvoice(app, customer.user_id, { nets: [997_000n - 1990n] })
  const offered = await shown()
  expect(offered).toMatchObject({
    vat_rate: '19',
    price_total: { amount: '2368' },
    vat_above: { net: { amount: '3000' }, vat_rate: '20' },
  })
  const priced = withExtras(offered, { course: 1 }).plan
  expect([priced.vat_rate, priced.vat.amount, priced.price_total.amount]).toEqual(['20', '898', '5388'])
  // Seen red while a renewal that passes the threshold was foretold at the rate of the seller's country.
  const choose = (total: bigint) =>
    api.call(sales.chooseRenewalPlan, {
      params: { hostId: host.id },
      body: { plan: 'standard-quarter', from: plan, expected_total: toMoney(total, 'EUR') },
    })
  expect(await choose(6426n)).toMatchObject({ body: refusal(409, 'price_changed') })
  bodyOf(await choose(6480n), 200)
  const order = (expected_total: Money) =>
    api.call(sales.orderHost, {
      headers: { 'idempotency-key': randomUUID() },
      body: {
        name: 'shop',
        ipv4: anyAddress(),
        plan,
        extras: [{ extra: 'course', quantity: 1 }],
        expected_total,
      },
    })
  expect(await order(toMoney(5343n, 'EUR'))).toMatchObject({ body: refusal(409, 'price_changed') })
  const { invoice } = bodyOf(await order(priced.price_total), 201)
  expect(invoice).toMatchObject({ vat_kind: 'oss', vat_rate: '20', total: { amount: '5388' } })
  expect(await shown()).not.toHaveProperty('vat_above')
})
