import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { listPlans, previewPromo } from '#features/licences/contract.ts'
import { withExtras } from '#features/licences/rules.ts'
import { addExtra, makePromoCode } from '#features/licences/server/licences.ts'
import * as sales from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { anyAddress, buyer, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const url = 'https://nordic.example/withdrawal'
const test = await startTestApp({ settings: { WITHDRAWAL_URL: url } })
const { app } = test
await stockShop(test)
const plan = 'standard-month'
const code = 'ALL-OFF'
await transaction(app, 'system', async (tx) => {
  const name = { en: 'Seats', de: 'Plätze', ru: 'Места' }
  await addExtra(tx, { slug: 'seats', kind: 'addon', net: 300n, most: 10, edition: 'standard', name })
  const wanted = { percent: 100, amount: null, editions: null, first_order_only: false, renewals: 1 }
  await makePromoCode(app, tx, { ...wanted, code, uses: 10, note: '', expires_at: null }, { by: null })
})

// Seen red while a plan that a code made free named no instruction: an order with an extra could not be sent.
it('L-02 rule 66: an order of an extra with a plan that a code makes free asks for the box, and so does its renewal', async () => {
  const customer = await buyer(test, 10_000n)
  const { api } = customer
  const ours = ({ slug }: { slug: string }) => slug === plan
  const { items } = bodyOf(await api.call(previewPromo, { body: { code } }), 200)
  const offered = must(items.find(ours))
  const [paid, free] = [withExtras(offered, { seats: 2 }).plan, withExtras(offered, {}).plan]
  expect([paid.price_total.amount, paid.withdrawal_url]).toEqual(['714', url])
  expect([free.price_total.amount, free.withdrawal_url]).toEqual(['0', undefined])
  const order = (extras: { extra: string; quantity: number }[], more: object = {}, by = customer) =>
    by.api.call(sales.orderHost, {
      headers: { 'idempotency-key': randomUUID() },
      body: {
        name: 'shop',
        ipv4: anyAddress(),
        plan,
        promo: code,
        extras,
        expected_total: (extras.length > 0 ? paid : free).price_total,
        ...more,
      },
    })
  const seats = [{ extra: 'seats', quantity: 2 }]
  const missing = { status: 400, body: refusal(400, 'required', 'begin_now') }
  expect(await order(seats)).toMatchObject(missing)
  expect((await order([], {}, await buyer(test, 0n))).status).toBe(200)
  const { host } = bodyOf(await order(seats, { begin_now: true }), 201)
  const again = bodyOf(await api.call(listPlans, { query: { host: host.id } }), 200).items
  const renewal = withExtras(must(again.find(ours)), { seats: 2 }).plan
  expect([renewal.price_total.amount, renewal.withdrawal_url]).toEqual(['714', url])
  const renew = (more: object) =>
    api.call(sales.orderLicence, {
      params: { hostId: host.id },
      headers: { 'idempotency-key': randomUUID() },
      body: { plan, expected_total: renewal.price_total, ...more },
    })
  expect(await renew({})).toMatchObject(missing)
  expect((await renew({ begin_now: true })).status).toBe(201)
})
