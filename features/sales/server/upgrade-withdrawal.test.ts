import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { getHost } from '#features/hosts/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { buyer, doLicenceJobs, orderHost, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { addPlan } from '#features/licences/server/catalogue.ts'

const test = await startTestApp({ settings: { WITHDRAWAL_URL: 'https://nordic.example/withdrawal' } })
const { app } = test
await stockShop(test)
const name = { en: 'Business', de: 'Business', ru: 'Бизнес' }
await transaction(app, 'system', (tx) =>
  addPlan(tx, { slug: 'business-month', name, term: 'P1M', price_net: 4990n }),
)

it('L-18 L-02 a consumer asks for the beginning of an upgrade too, and withdraws from it and not from what it replaced', async () => {
  const customer = await buyer(test, 50_000n)
  const { api } = customer
  const { host } = bodyOf(await orderHost(customer, { agreed: { begin_now: true } }), 201)
  const params = { hostId: host.id }
  const periods = async () => bodyOf(await api.call(sales.listPaidPeriods, { params, query: {} }), 200).items
  const old = must(must((await periods())[0]).withdrawal).order_id
  await passTime(test, 10)
  const body = { plan: 'business-month' }
  const shown = bodyOf(await api.call(sales.previewUpgrade, { params, body }), 200)
  expect(shown).toHaveProperty('withdrawal_url')
  const order = { ...body, expected_total: shown.pay_now, as_of: shown.as_of }
  const upgrade = (more: { begin_now?: boolean }) =>
    api.call(sales.upgradeLicence, {
      params,
      headers: { 'idempotency-key': randomUUID() },
      body: { ...order, ...more },
    })
  expect(await upgrade({})).toMatchObject({ status: 400, body: refusal(400, 'required', 'begin_now') })
  const { charges } = bodyOf(await upgrade({ begin_now: true }), 201)
  const [upgraded, cut] = await periods()
  expect(cut).not.toHaveProperty('withdrawal')
  const withdraw = (order_id: string) => api.call(sales.withdrawLicence, { params, body: { order_id } })
  expect((await withdraw(old)).status).toBe(409)
  const before = await balanceOf(app, app.db, customer.user_id)
  const declared = bodyOf(await withdraw(must(must(upgraded).withdrawal).order_id), 201)
  // The proposed refund is the price of the upgrade less the moments since then, and never more than the price.
  const paid = -BigInt(must(charges[0]).amount.amount)
  const proposed = BigInt(declared.proposed_refund.amount)
  expect(proposed <= paid && proposed >= paid - 2n).toBe(true)
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(before)
  const { licence } = bodyOf(await api.call(getHost, { params }), 200)
  expect(licence.status).toBe('expired')
  await doLicenceJobs(test)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  expect(await mistakesIn(test)).toEqual([])
})
