import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { getInvoice, listInvoices } from '#features/invoices/contract.ts'
import { lineText } from '#features/invoices/texts.ts'
import { addExtra, makePromoCode } from '#features/licences/server/licences.ts'
import * as sales from '#features/sales/contract.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { anyAddress, buyer, passTime, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

// Standard costs 19.90 a month, Large 40.00; VAT is 19 %.
const test = await startTestApp()
await stockShop(test)
await sellLarge(test)
const named = (en: string) => ({ en, de: `${en} (de)`, ru: `${en} (ru)` })
await transaction(test.app, 'system', async (tx) => {
  const of = { edition: 'standard' } as const
  await addExtra(tx, { ...of, slug: 'setup', kind: 'setup', net: 2500n, most: 1, name: named('Setup') })
  await addExtra(tx, { ...of, slug: 'seats', kind: 'addon', net: 300n, most: 9, name: named('Seat') })
  await addExtra(tx, { ...of, slug: 'course', kind: 'once', net: 4900n, most: 3, name: named('Course') })
  const code = { percent: 20, amount: null, editions: null, first_order_only: true, renewals: 0, uses: 9 }
  await makePromoCode(test.app, tx, { ...code, expires_at: null, note: '', code: 'BILL' }, { by: null })
})

/** The documents of a customer, the newest first: each line as it is named, with its parts. Each part is checked to add up. */
async function explainedTo({ api }: Customer) {
  const { items } = bodyOf(await api.call(listInvoices, { query: {} }), 200)
  const documents = []
  for (const { id } of items) {
    const { lines, explained, net } = bodyOf(await api.call(getInvoice, { params: { publicId: id } }), 200)
    const sums = explained?.lines.map((parts) =>
      parts.reduce((sum, { amount }) => sum + amountOf(amount), 0n),
    )
    expect(sums).toEqual(lines.map(({ price }) => amountOf(price)))
    expect(explained?.net.reduce((sum, { amount }) => sum + amountOf(amount), 0n)).toBe(amountOf(net))
    documents.push(
      lines.map(({ description }, place) => ({
        line: lineText(description, 'en'),
        parts: explained?.lines[place]?.map(({ code, params }) => [code, params]),
      })),
    )
  }
  return documents
}

it('names fee, add-ons by their number, what is paid once, and the promo code, and explains the rest of a term by its days', async () => {
  const customer = await buyer(test, 60_000n)
  const net = 1592n + 2500n + 600n + 9800n
  const extras = [
    { extra: 'seats', quantity: 2 },
    { extra: 'course', quantity: 2 },
  ]
  const expected_total = toMoney(net + (net * 19n + 50n) / 100n, 'EUR')
  const order = { name: 'web', ipv4: anyAddress(), plan: 'standard-month', extras, promo: 'BILL' }
  const headers = { 'idempotency-key': randomUUID() }
  const { host } = bodyOf(
    await customer.api.call(sales.orderHost, { headers, body: { ...order, expected_total } }),
    201,
  )
  expect(await explainedTo(customer)).toEqual([
    [
      {
        line: expect.stringMatching(/web/),
        parts: [
          ['quantity', { count: '1', price: '1990' }],
          ['reduction', { code: 'BILL', percent: '20' }],
        ],
      },
      { line: expect.stringMatching(/Setup/), parts: [['quantity', { count: '1', price: '2500' }]] },
      { line: expect.stringMatching(/Seat/), parts: [['quantity', { count: '2', price: '300' }]] },
      { line: expect.stringMatching(/Course/), parts: [['quantity', { count: '2', price: '4900' }]] },
    ],
  ])
  await passTime(test, 15)
  const params = { hostId: host.id }
  const plan = 'large-month'
  const { as_of, pay_now } = bodyOf(
    await customer.api.call(sales.previewUpgrade, { params, body: { plan } }),
    200,
  )
  const body = { plan, as_of, expected_total: pay_now }
  bodyOf(
    await customer.api.call(sales.upgradeLicence, {
      params,
      headers: { 'idempotency-key': randomUUID() },
      body,
    }),
    201,
  )
  const documents = await explainedTo(customer)
  const upgrade = documents.find((lines) =>
    lines.some(({ line }) => /2 .*Seat|Seat.*2/.test(line) && lines.length === 2),
  )
  expect(upgrade).toMatchObject([
    {
      line: expect.stringMatching(/Large/),
      parts: [
        ['term', { days: expect.any(String) }],
        ['used', {}],
      ],
    },
    {
      line: expect.stringMatching(/Seat/),
      parts: [
        ['term', { days: expect.any(String), count: '2' }],
        ['used', {}],
      ],
    },
  ])
})
