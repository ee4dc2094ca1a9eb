import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createHost, getHost, listHosts } from '#features/hosts/contract.ts'
import { listInvoices, reissueInvoice } from '#features/invoices/contract.ts'
import { getFinances, listTransactions } from '#features/finance/contract.ts'
import * as contract from '#features/licences/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addMoney } from '#tests/harness/money.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import {
  anyAddress,
  buyer,
  goods,
  orderHost,
  orderLicence,
  passTime,
  stockShop,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { believePlace } from '#tests/harness/vat-proof.ts'

const test = await startTestApp()
await stockShop(test)

/** Everything that an order leaves behind, as its customer sees it. */
async function booksOf({ api }: Customer) {
  const finances = bodyOf(await api.call(getFinances, {}), 200)
  const transactions = bodyOf(await api.call(listTransactions, { query: {} }), 200).items
  const invoices = bodyOf(await api.call(listInvoices, { query: {} }), 200).items
  const hosts = bodyOf(await api.call(listHosts, { query: {} }), 200).items
  return { balance: finances.balance.amount, transactions, invoices, hosts }
}

const addHost = async ({ api }: Customer, body: { ipv4?: string } = {}) =>
  bodyOf(await api.call(createHost, { headers: {}, body }), 201)

const historyOf = async (
  { api }: Customer,
  hostId: string,
  query: { limit?: string; cursor?: string } = {},
) => bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query }), 200)

/** Each reader sees the plan in the language of their page, not in the buyer's. */
const STANDARD = { en: 'Standard', de: 'Standard', ru: 'Стандарт' }

it('H-02 an order for a new host creates one host, and one charge, invoice and paid period of the same amount', async () => {
  const customer = await buyer(test, 5000n)
  const ipv4 = anyAddress()
  const body = bodyOf(await orderHost(customer, { name: 'web-1', ipv4 }), 201)
  const { host, invoice, transaction } = body
  expect(host).toMatchObject({ name: 'web-1', ipv4, licence: { status: 'active', term: 'P1M' } })
  expect(host.licence.plan).toMatchObject({ slug: 'standard-month' })
  expect(invoice).toMatchObject({ status: 'paid', total: { amount: '2368' }, vat: { amount: '378' } })
  expect(transaction).toMatchObject({
    type: 'spend',
    amount: { amount: '-2368', currency: 'EUR' },
    balance_after: { amount: '2632' },
    invoice_id: invoice.id,
    host_id: host.id,
    description: { code: 'licence_order', params: { host: 'web-1', plan: STANDARD } },
  })
  const books = await booksOf(customer)
  expect(books.balance).toBe('2632')
  expect(books.hosts).toHaveLength(1)
  expect(books.invoices.map(({ id, total }) => [id, total.amount])).toEqual([[invoice.id, '2368']])
  const { items } = await historyOf(customer, host.id)
  expect(items).toMatchObject([
    { kind: 'order', total: { amount: '2368' }, invoice_id: invoice.id, ended: null },
  ])
  expect(items[0]?.ends_at).toBe(host.licence.paid_until)
})

// Seen red when the charge came after the host and did not undo it: the host stayed.
it('H-03 an order that the balance does not cover is refused, and nothing at all is written', async () => {
  const customer = await buyer(test, 2367n)
  const free = await addHost(customer, { ipv4: anyAddress() })
  const before = await booksOf(customer)
  const body = refusal(402, 'insufficient_balance')
  expect(await orderHost(customer)).toMatchObject({ status: 402, body })
  expect(await orderLicence(customer, free.id)).toMatchObject({ status: 402, body })
  expect(await booksOf(customer)).toEqual(before)
})

it('H-03 the refused order can be sent again with the same key once there is money', async () => {
  const customer = await buyer(test, 100n)
  const order = { key: randomUUID(), ipv4: anyAddress() }
  expect((await orderHost(customer, order)).status).toBe(402)
  await addMoney(test.app, customer.user_id, 5000n)
  expect((await orderHost(customer, order)).status).toBe(201)
})

it('V-04 an order needs an IPv4 address: in the form for a new host, on the host for another', async () => {
  const customer = await buyer(test, 5000n)
  const headers = { 'idempotency-key': randomUUID() }
  const { status, body } = await customer.api.post(
    '/api/hosts/order/',
    { plan: 'standard-month', expected_total: { amount: '2368', currency: 'EUR' } },
    { headers },
  )
  expect([status, body]).toEqual([400, refusal(400, 'required', 'ipv4')])
  const wrong = await orderHost(customer, { ipv4: '010.0.0.1' })
  expect(wrong).toMatchObject({ status: 400, body: refusal(400, 'invalid_ipv4', 'ipv4') })
  const bare = await addHost(customer)
  expect(await orderLicence(customer, bare.id)).toMatchObject({
    status: 400,
    body: refusal(400, 'ipv4_required', 'ipv4'),
  })
})

it('refuses an order without an Idempotency-Key, since an order moves money', async () => {
  const customer = await buyer(test, 5000n)
  const { status } = await customer.api.post('/api/hosts/order/', {
    plan: 'standard-month',
    ipv4: anyAddress(),
  })
  expect(status).toBe(400)
})

it('rule 11: no request expresses a price', async () => {
  const customer = await buyer(test, 5000n)
  const headers = { 'idempotency-key': randomUUID() }
  const cheap = { amount: '1', currency: 'EUR' }
  const order = { plan: 'standard-month', ipv4: anyAddress(), expected_total: cheap, price: cheap }
  const { status, body } = await customer.api.post('/api/hosts/order/', order, { headers })
  expect([status, body]).toEqual([400, refusal(400, 'unknown_field', 'price')])
})

it('refuses an order of an unknown plan', async () => {
  const customer = await buyer(test, 5000n)
  const body = refusal(400, 'unknown_plan', 'plan')
  expect(await orderHost(customer, { plan: 'no-such-plan' })).toMatchObject({ status: 400, body })
})

it('H-02 renews from the present end while it runs, and from now once it has ended', async () => {
  const customer = await buyer(test, 50_000n)
  const { host } = bodyOf(await orderHost(customer), 201)
  const renewed = bodyOf(await orderLicence(customer, host.id, { plan: 'standard-quarter' }), 201)
  expect(renewed.transaction.description.code).toBe('licence_renewal')
  const [later, first] = (await historyOf(customer, host.id)).items
  expect(later).toMatchObject({ starts_at: host.licence.paid_until, term: 'P3M', kind: 'renewal' })
  expect(later?.ends_at).toBe(renewed.host.licence.paid_until)
  expect(first).toMatchObject({ ends_at: host.licence.paid_until })

  await passTime(test, 200)
  const expired = bodyOf(await customer.api.call(getHost, { params: { hostId: host.id } }), 200)
  expect(expired.licence).toMatchObject({ status: 'expired', remaining_s: 0 })
  const before = Date.now()
  const again = bodyOf(await orderLicence(customer, host.id), 201)
  const [newest] = (await historyOf(customer, host.id)).items
  expect(Math.abs(Date.parse(newest?.starts_at ?? '') - before)).toBeLessThan(60_000)
  expect(again.host.licence.status).toBe('active')
})

it('an address has one licence at a time: until it ends, any further order is refused, also of another customer', async () => {
  const [one, other] = [await buyer(test, 9000n), await buyer(test, 9000n)]
  const ipv4 = anyAddress()
  expect((await orderHost(one, { ipv4 })).status).toBe(201)
  const before = await booksOf(other)
  const body = refusal(409, 'ipv4_licensed', 'ipv4')
  expect(await orderHost(other, { ipv4 })).toMatchObject({ status: 409, body })
  expect(await orderHost(one, { ipv4 })).toMatchObject({ status: 409, body })
  expect(await booksOf(other)).toEqual(before)
  await passTime(test, 40)
  expect((await orderHost(other, { ipv4 })).status).toBe(201)
})

it('pages through the history, newest first', async () => {
  const customer = await buyer(test, 50_000n)
  const { host } = bodyOf(await orderHost(customer), 201)
  for (let order = 0; order < 4; order += 1) bodyOf(await orderLicence(customer, host.id), 201)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await historyOf(customer, host.id, { limit: '2', ...(cursor ? { cursor } : {}) })
    seen.push(...page.items.map((item) => item.starts_at))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  expect(seen).toHaveLength(5)
  expect(seen).toEqual(seen.toSorted().toReversed())
})

it('B-14 the history leads to the invoice that counts, however often it was issued again', async () => {
  const customer = await buyer(test, 50_000n)
  const first = bodyOf(await orderHost(customer), 201)
  const second = bodyOf(await orderLicence(customer, first.host.id), 201)
  const { api: billing } = await signedInStaff(test)
  const reissued = async (publicId: string) => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { buyer: 'profile', vat: 'keep', reason: 'Wrong address' } as const
    return bodyOf(await billing.call(reissueInvoice, { params: { publicId }, headers, body }), 201).invoice.id
  }
  const newest = await reissued(await reissued(first.invoice.id))
  const { items } = await historyOf(customer, first.host.id)
  expect(items.map(({ invoice_id }) => invoice_id)).toEqual([second.invoice.id, newest])
})

it("rule 4: other customers' hosts can neither be ordered for nor read", async () => {
  const owner = await buyer(test, 5000n)
  const { host } = bodyOf(await orderHost(owner), 201)
  const stranger = await buyer(test, 5000n)
  expect((await orderLicence(stranger, host.id)).status).toBe(404)
  const params = { hostId: host.id }
  expect((await stranger.api.call(sales.listPaidPeriods, { params, query: {} })).status).toBe(404)
  expect((await stranger.api.call(contract.listPlans, { query: { host: host.id } })).status).toBe(404)
})

it('lists the plans at the price this customer will pay, named in every language', async () => {
  const { api, user_id } = await signedInCustomer(test)
  const { items } = bodyOf(await api.call(contract.listPlans, { query: {} }), 200)
  expect(items.map(({ slug }) => slug)).toEqual(Object.keys(goods))
  expect(items[0]).toEqual({
    slug: 'standard-month',
    name: STANDARD,
    edition: { slug: 'standard', name: STANDARD },
    product: {
      slug: 'server',
      name: { en: 'Server', de: 'Server', ru: 'Сервер' },
      kind: 'server',
      asks_address: true,
    },
    description: { en: '', de: '', ru: '' },
    features: [],
    entitlements: {},
    term: 'P1M',
    price_net: { amount: '1990', currency: 'EUR' },
    vat_rate: '19',
    vat: { amount: '378', currency: 'EUR' },
    price_total: { amount: '2368', currency: 'EUR' },
    per_month: { amount: '2368', currency: 'EUR' },
    saving: null,
    trial_days: 0,
    nameless_up_to: { amount: '25000', currency: 'EUR' },
  })
  // The saving is 12 × 23.68 − 236.81: by the totals that are charged, not by the prices before VAT.
  expect(
    items.find(({ term }) => term === 'P1Y'),
    'L-13',
  ).toMatchObject({
    per_month: { amount: '1973' },
    saving: { amount: { amount: '4735' }, percent: '16' },
  })
  await api.patch('/api/users/update/', { country: 'FR' })
  const french = bodyOf(await api.call(contract.listPlans, { query: {} }), 200).items[0]
  expect(french).toMatchObject({ vat_rate: '20', price_total: { amount: '2388' } })
  await api.patch('/api/users/update/', { country: 'CH' })
  await believePlace(test, user_id, 'CH')
  const swiss = bodyOf(await api.call(contract.listPlans, { query: {} }), 200).items[0]
  expect(swiss).toMatchObject({ vat_rate: '0', price_total: { amount: '1990' } })
})
