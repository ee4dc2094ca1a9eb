import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { getFinances, listTransactions } from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import { getInvoice } from '#features/invoices/contract.ts'
import * as licences from '#features/licences/contract.ts'
import { addPlan, changePlan, endPromoCode, makePromoCode } from '#features/licences/server/licences.ts'
import * as sales from '#features/sales/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { anyAddress, buyer, doLicenceJobs, orderHost, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { bookRefund } from './book-refund.ts'

// Standard costs 19.90 a month, with VAT 23.68.
const test = await startTestApp({ settings: { STAFF_APPROVALS: 'off' } })
const { app } = test
await stockShop(test)
await transaction(app, 'system', (tx) =>
  addPlan(tx, {
    slug: 'business-month',
    name: { en: 'Business', de: 'Business', ru: 'Business' },
    term: 'P1M',
    price_net: 4990n,
  }),
)

type Wanted = Partial<Parameters<typeof makePromoCode>[2]>
const usual = {
  percent: 20,
  amount: null,
  editions: null,
  first_order_only: false,
  renewals: 0,
  uses: 1000,
  note: '',
  expires_at: null,
}
let made = 0
const make = async (wanted: Wanted = {}, by: string | null = null) => {
  const code = `SUMMER-${++made}`
  const row = await transaction(app, 'system', (tx) =>
    makePromoCode(app, tx, { ...usual, code, ...wanted }, { by }),
  )
  return row
}

const price = ({ api }: Customer, code: string, host?: string) =>
  api.call(licences.previewPromo, { body: { code, ...(host && { host }) } })
const orderWith = (customer: Customer, promo: string, total: bigint, plan = 'standard-month') =>
  customer.api.call(sales.orderHost, {
    headers: { 'idempotency-key': randomUUID() },
    body: { name: 'shop', ipv4: anyAddress(), plan, promo, expected_total: toMoney(total, 'EUR') },
  })
const renew = ({ api }: Customer, hostId: string, total: bigint, more: object = {}) =>
  api.call(sales.orderLicence, {
    params: { hostId },
    headers: { 'idempotency-key': randomUUID() },
    body: { plan: 'standard-month', expected_total: toMoney(total, 'EUR'), ...more },
  })
const inOrder = (replies: readonly { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other)
const balance = ({ user_id }: Customer) => balanceOf(app, app.db, user_id)
const invoiceOf = async ({ api }: Customer, publicId: string) =>
  bodyOf(await api.call(getInvoice, { params: { publicId } }), 200)
const historyOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const soundBooks = async () => {
  await doLicenceJobs(test)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  expect(await mistakesIn(test)).toEqual([])
}

it('rule 66: a code lowers the net of the line, the VAT is that of the lowered net, and the invoice names it', async () => {
  const { code } = await make()
  const customer = await buyer(test, 10_000n)
  const shown = bodyOf(await price(customer, ` ${code.toLowerCase()} `), 200)
  expect(shown).toMatchObject({ code, percent: 20, renewals: 0 })
  const plan = must(shown.items.find(({ slug }) => slug === 'standard-month'))
  expect(plan).toMatchObject({
    price_net: { amount: '1592' },
    price_total: { amount: '1894' },
    promo: { code, net_before: { amount: '1990' }, total_before: { amount: '2368' } },
  })
  // The price without the code is refused, with the price of the code.
  expect(await orderWith(customer, code, 2368n)).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'price_changed' }], plan: { price_total: { amount: '1894' } } },
  })
  const { host, invoice } = bodyOf(await orderWith(customer, code, 1894n), 201)
  expect(await balance(customer)).toBe(8106n)
  expect(invoice).toMatchObject({ net: { amount: '1592' }, vat: { amount: '302' } })
  expect(invoice.lines).toMatchObject([
    {
      cost: { amount: '1990' },
      price: { amount: '1592' },
      allowance: {
        amount: { amount: '398' },
        reduction: { code: 'promo_code', params: { code, percent: '20' } },
      },
    },
  ])
  expect(await invoiceOf(customer, invoice.id)).toMatchObject(invoice)
  // The code held for the order alone.
  await renew(customer, host.id, 2368n).then((reply) => bodyOf(reply, 201))
  await soundBooks()
})

it('rule 66: a code says why it does not hold, and each account uses it once', async () => {
  const customer = await buyer(test, 20_000n)
  const staff = await signedInStaff(test, { roles: ['admin'] })
  const [gone, ended, two, first, own] = [
    await make({ expires_at: new Date(Date.now() - 1000) }),
    await make(),
    await make({ uses: 1, editions: ['standard'] }),
    await make({ first_order_only: true }),
    await make({}, staff.user_id),
  ]
  await transaction(app, 'system', (tx) => endPromoCode(tx, ended.id, { by: null }))
  const both = async (one: Customer, code: string, total: bigint, plan?: string) => [
    await price(one, code).then(({ status, body }) => ({ status, body })),
    await orderWith(one, code, total, plan).then(({ status, body }) => ({ status, body })),
  ]
  const said = (status: number, code: string) => ({ status, body: { errors: [{ code, param: 'promo' }] } })
  for (const reply of await both(customer, 'NOTHING', 1894n))
    expect(reply).toMatchObject(said(400, 'unknown_promo'))
  for (const { code } of [gone, ended])
    for (const reply of await both(customer, code, 1894n))
      expect(reply).toMatchObject(said(409, 'promo_expired'))
  expect(await orderWith(customer, two.code, 3992n, 'business-month')).toMatchObject(
    said(409, 'promo_other_edition'),
  )
  bodyOf(await orderWith(customer, first.code, 1894n), 201)
  for (const reply of await both(customer, first.code, 1894n))
    expect(reply).toMatchObject(said(409, 'promo_used'))
  bodyOf(await orderWith(customer, two.code, 1894n), 201)
  const other = await make({ first_order_only: true })
  for (const reply of await both(customer, other.code, 1894n))
    expect(reply).toMatchObject(said(409, 'promo_first_order_only'))
  const next = await buyer(test, 10_000n)
  for (const reply of await both(next, two.code, 1894n))
    expect(reply).toMatchObject(said(409, 'promo_used_up'))
  expect(await price(staff, own.code)).toMatchObject({ status: 403 })
  await soundBooks()
})

// Seen red with the first order read before the balance was locked: both orders were lowered.
it('rule 66: of orders at once, two codes for the first one lower one of them, and none beside an order without a code', async () => {
  for (let round = 0; round < 4; round += 1) {
    const codes = [await make({ first_order_only: true }), await make({ first_order_only: true })]
    const customer = await buyer(test, 20_000n)
    const replies = await Promise.all(codes.map(({ code }) => orderWith(customer, code, 1894n)))
    expect(inOrder(replies)).toEqual([201, 409])
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
      errors: [{ code: 'promo_first_order_only', param: 'promo' }],
    })
    const beside = await buyer(test, 20_000n)
    const { code } = await make({ first_order_only: true })
    const [lowered, plain] = await Promise.all([orderWith(beside, code, 1894n), orderHost(beside)])
    expect(plain.status).toBe(201)
    const [newest, oldest] = bodyOf(
      await beside.api.call(listTransactions, { query: { type: 'spend' } }),
      200,
    ).items.map(({ amount }) => amount.amount)
    // The order with the code was the first one, or it was refused.
    if (lowered.status === 201) expect([newest, oldest]).toEqual(['-2368', '-1894'])
    else expect([lowered.status, newest, oldest]).toEqual([409, '-2368', undefined])
  }
  await soundBooks()
}, 60_000)

it('rule 66: of eight accounts that order at once with the last two uses, two get them, and nobody pays for nothing', async () => {
  const { code } = await make({ uses: 2, amount: 500n, percent: null })
  const customers = await Promise.all(Array.from({ length: 8 }, () => buyer(test, 5000n)))
  const replies = await Promise.all(customers.map((one) => orderWith(one, code, 1773n)))
  expect(inOrder(replies)).toEqual([201, 201, 409, 409, 409, 409, 409, 409])
  const left = await Promise.all(customers.map(balance))
  expect(left.reduce((sum, one) => sum + one, 0n)).toBe(2n * 3227n + 6n * 5000n)
  const twice = await buyer(test, 10_000n)
  const { code: again } = await make()
  const tabs = await Promise.all([1, 2, 3].map(() => orderWith(twice, again, 1894n)))
  expect(inOrder(tabs)).toEqual([201, 409, 409])
  await soundBooks()
})

it('rule 66: a code holds for so many renewals, by hand or by itself, as its mails say, whatever happens to it', async () => {
  const { code, id } = await make({ renewals: 2 })
  const customer = await buyer(test, 20_000n)
  const { host } = bodyOf(await orderWith(customer, code, 1894n), 201)
  const params = { hostId: host.id }
  await customer.api.call(updateHost, { params, body: { auto_renew: true } })
  await transaction(app, 'system', (tx) => endPromoCode(tx, id, { by: null }))
  const upcoming = async () =>
    bodyOf(await customer.api.call(getFinances, {}), 200).upcoming.map(({ total }) => total.amount)
  expect(await upcoming()).toEqual(['1894'])
  const shown = bodyOf(await customer.api.call(licences.listPlans, { query: { host: host.id } }), 200)
  expect(shown.items.find(({ slug }) => slug === 'standard-month')).toMatchObject({
    price_total: { amount: '1894' },
    promo: { code, renewals: 1 },
  })
  const left = async () =>
    bodyOf(await customer.api.call(getHost, { params }), 200).licence.remaining_s / 86_400
  await passTime(test, (await left()) - 6.9)
  await doLicenceJobs(test)
  // The invoice of the order is mailed too, over the same amount.
  const { text } = await test.mails.about(customer.email, / will be renewed$/)
  expect(text).toContain('€18.94')
  // A rise between the mail and the charge changes neither.
  await transaction(app, 'system', (tx) =>
    changePlan(app, tx, 'standard-month', { price_net: 2990n }, { by: 'command line' }),
  )
  await passTime(test, (await left()) - 0.9)
  await doLicenceJobs(test)
  await expect.poll(async () => (await historyOf(customer, host.id)).length).toBe(2)
  await renew(customer, host.id, 1894n).then((reply) => bodyOf(reply, 201))
  const paid = await historyOf(customer, host.id)
  expect(paid.map(({ kind, total }) => [kind, total?.amount])).toEqual([
    ['renewal', '1894'],
    ['auto_renewal', '1894'],
    ['order', '1894'],
  ])
  expect(await upcoming()).not.toEqual(['1894'])
  await transaction(app, 'system', (tx) =>
    changePlan(app, tx, 'standard-month', { price_net: 1990n }, { by: 'command line' }),
  )
  await soundBooks()
})

it('rule 66: a refund, a withdrawal and an upgrade count from what was paid', async () => {
  const { code } = await make({ percent: 50, renewals: 3 })
  const customer = await buyer(test, 20_000n)
  const { host, transaction: paid } = bodyOf(await orderWith(customer, code, 1184n), 201)
  const upgrade = { params: { hostId: host.id }, body: { plan: 'business-month' } }
  const shown = bodyOf(await customer.api.call(sales.previewUpgrade, upgrade), 200)
  expect(BigInt(shown.credit.amount)).toBeLessThanOrEqual(1184n)
  expect(BigInt(shown.credit.amount)).toBeGreaterThan(1180n)
  await transaction(app, 'system', (tx) =>
    bookRefund(app, tx, { user_id: customer.user_id, transaction_id: paid.id, reason: 'as asked' }),
  )
  expect(await balance(customer)).toBe(20_000n)
  await soundBooks()
})

it('rule 66: a code of 100 % makes an order that is free, with neither charge nor invoice, and can be upgraded', async () => {
  const { code } = await make({ percent: 100, renewals: 1 })
  const customer = await buyer(test, 10_000n)
  const { host } = bodyOf(await orderWith(customer, code, 0n), 200)
  expect(host.licence).toMatchObject({ status: 'active', trial_until: null, price: { amount: '0' } })
  expect(await balance(customer)).toBe(10_000n)
  await renew(customer, host.id, 0n).then((reply) => bodyOf(reply, 200))
  await renew(customer, host.id, 2368n).then((reply) => bodyOf(reply, 201))
  const [last, free] = await historyOf(customer, host.id)
  expect([last, free]).toMatchObject([
    { total: { amount: '2368' } },
    { total: { amount: '0' }, invoice_id: null },
  ])
  const params = { hostId: host.id }
  const shown = bodyOf(
    await customer.api.call(sales.previewUpgrade, { params, body: { plan: 'business-month' } }),
    200,
  )
  expect(shown.periods.map(({ credit }) => credit.amount)).toEqual(['0', '0', '2368'])
  const body = { plan: 'business-month', expected_total: shown.pay_now, as_of: shown.as_of }
  const headers = { 'idempotency-key': randomUUID() }
  // Three months of the higher plan cost more than is there.
  expect(await customer.api.call(sales.upgradeLicence, { params, headers, body })).toMatchObject({
    status: 402,
  })
  await soundBooks()
})

it('rule 66: unknown codes are counted, others are not', async () => {
  const customer = await buyer(test, 10_000n)
  const { code } = await make()
  for (let nth = 0; nth < 12; nth++) bodyOf(await price(customer, code), 200)
  const statuses = []
  for (let nth = 0; nth < 11; nth++) statuses.push((await price(customer, `GUESS-${nth}`)).status)
  expect(statuses).toEqual([...Array(10).fill(400), 429])
  expect(await orderWith(customer, code, 1894n)).toMatchObject({ status: 429 })
})

it('rules 63, 66: nobody uses a code that they made for an account that they help', async () => {
  const staff = await signedInStaff(test, { roles: ['billing'] })
  const [owned, second] = [await buyer(test, 10_000n), await signedInCustomer(test)]
  const { code } = await make({}, staff.user_id)
  const [name, domain] = staff.email.split('@')
  await asOwner(test, `insert into email_addresses (user_id, email, verified_at) values ($1, $2, now())`, [
    second.user_id,
    `${name}+second@${domain}`,
  ])
  await helperOf(test, owned, { role: 'full' }, second)
  const acting = () => second.api.post(`/api/plans/promo/?for=${owned.user_id}`, { code })
  expect(await acting()).toMatchObject({ status: 403, body: refusal(403, 'own_account') })
  bodyOf(await orderWith(owned, code, 1894n), 201)
})

it('rule 66: an amount takes off no more than the price, and one of another currency nothing', async () => {
  const [customer, { code }] = [await buyer(test, 0n), await make({ percent: null, amount: 5000n })]
  const { host } = bodyOf(await orderWith(customer, code, 0n), 200)
  expect(host.licence.price).toEqual(toMoney(0n, 'EUR'))
  await asOwner(
    test,
    `insert into promo_codes (code, amount, currency, first_order_only, renewals, uses) values ('DOLLARS', 500, 'USD', false, 0, 9)`,
  )
  expect(await price(customer, 'DOLLARS')).toMatchObject({
    status: 400,
    body: refusal(400, 'unknown_promo', 'promo'),
  })
  await soundBooks()
})
