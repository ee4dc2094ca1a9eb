import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import { getInvoice } from '#features/invoices/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { addExtra, changeExtra, makePromoCode } from '#features/licences/server/licences.ts'
import { orderBulk, previewBulk } from '#features/sales/bulk-orders.ts'
import * as sales from '#features/sales/contract.ts'
import { toMoney, vatOf } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import {
  beginCheckout,
  begunCheckout,
  checkoutState,
  paymentEvent,
  postPayment,
} from '#tests/harness/payments.ts'
import { anyAddress, buyer, doLicenceJobs, passTime, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { transferred } from '#tests/harness/transfers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

// Standard costs 19.90 a month, Large 40.00; VAT is 19 %.
const test = await startTestApp({
  settings: { STAFF_APPROVALS: 'off', WITHDRAWAL_URL: 'https://nordic.example/withdrawal' },
})
const { app } = test
await stockShop(test)
await sellLarge(test)
const admin = await signedInStaff(test, { roles: ['admin'] })

const named = (en: string) => ({ en, de: `${en} (de)`, ru: `${en} (ru)` })
const made = (slug: string, kind: 'setup' | 'addon' | 'once', net: bigint, most = 1, edition = 'standard') =>
  transaction(app, 'system', (tx) => addExtra(tx, { slug, kind, net, most, edition, name: named(slug) }))
await made('setup', 'setup', 2500n)
await made('seats', 'addon', 300n, 10)
await made('course', 'once', 4900n, 3)
const edited = (slug: string, change: object) =>
  transaction(app, 'system', (tx) => changeExtra(tx, slug, change, { by: 'test' }))

const gross = (net: bigint) => net + vatOf(net, 1900n)
const shown = (net: bigint) => toMoney(gross(net), 'EUR')
const chosen = (wanted: Record<string, number>) =>
  Object.entries(wanted).map(([extra, quantity]) => ({ extra, quantity }))
const order = ({ api }: Customer, wanted: Record<string, number>, net: bigint, more: object = {}) =>
  api.call(sales.orderHost, {
    headers: { 'idempotency-key': randomUUID() },
    body: {
      name: 'shop',
      ipv4: anyAddress(),
      plan: 'standard-month',
      extras: chosen(wanted),
      expected_total: shown(net),
      begin_now: true,
      ...more,
    },
  })
const renew = ({ api }: Customer, hostId: string, net: bigint, more: object = {}) =>
  api.call(sales.orderLicence, {
    params: { hostId },
    headers: { 'idempotency-key': randomUUID() },
    body: { plan: 'standard-month', expected_total: shown(net), begin_now: true, ...more },
  })
const offerFor = async ({ api }: Customer, host?: string, slug = 'standard-month') =>
  must(
    bodyOf(await api.call(listPlans, { query: host ? { host } : {} }), 200).items.find(
      (plan) => plan.slug === slug,
    ),
  )
const balance = ({ user_id }: Customer) => balanceOf(app, app.db, user_id)
const hostOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(getHost, { params: { hostId } }), 200)
const valuesOf = (hostId: string) =>
  asOwner(
    test,
    `select net::int, once_net::int as once from paid_periods where host_id = (select id from hosts where public_id = $1) order by starts_at, id`,
    [hostId],
  )
const chargesOf = async (hostId: string) =>
  (
    await asOwner(
      test,
      `select o.net::text from licence_orders o join hosts h on h.id = o.host_id where h.public_id = $1 order by o.ordered_at, o.id`,
      [hostId],
    )
  ).map((row) => (row as { net: string }).net)
const soundBooks = async () => {
  await doLicenceJobs(test)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  expect(await mistakesIn(test)).toEqual([])
}

it('rule 46: an order has the fee and the chosen extras as lines of one invoice, at the total that was shown', async () => {
  const customer = await buyer(test, 30_000n)
  expect((await offerFor(customer)).extras).toEqual([
    {
      slug: 'setup',
      name: named('setup'),
      kind: 'setup',
      price_net: toMoney(2500n, 'EUR'),
      most: 1,
      quantity: 1,
    },
    {
      slug: 'seats',
      name: named('seats'),
      kind: 'addon',
      price_net: toMoney(300n, 'EUR'),
      most: 10,
      quantity: 0,
    },
    {
      slug: 'course',
      name: named('course'),
      kind: 'once',
      price_net: toMoney(4900n, 'EUR'),
      most: 3,
      quantity: 0,
    },
  ])
  expect(
    (await offerFor(customer, undefined, 'standard-year')).extras?.map(({ price_net }) => price_net.amount),
  ).toEqual(['2500', '3600', '4900'])
  const net = 1990n + 2500n + 3n * 300n + 4900n
  // The price of the plan alone, and one without the fee, are refused: nothing is charged and no server is made.
  for (const wrong of [1990n, net - 2500n, net + 1n])
    expect(await order(customer, { seats: 3, course: 1 }, wrong)).toMatchObject({
      status: 409,
      body: { errors: [{ code: 'price_changed' }], plan: { price_net: { amount: '1990' } } },
    })
  expect(await balance(customer)).toBe(30_000n)
  const { host, invoice } = bodyOf(await order(customer, { seats: 3, course: 1 }, net), 201)
  expect(await balance(customer)).toBe(30_000n - gross(net))
  expect(invoice).toMatchObject({ net: { amount: String(net) }, total: shown(net) })
  expect(
    invoice.lines.map(({ description, quantity, price }) => [description.code, quantity, price.amount]),
  ).toEqual([
    ['licence_order', '1', '1990'],
    ['extra', '1', '2500'],
    ['extra', '3', '900'],
    ['extra', '1', '4900'],
  ])
  expect(await valuesOf(host.id)).toEqual([{ net: 2890, once: 7400 }])
  expect((await hostOf(customer, host.id)).licence.extras).toEqual([
    { extra: 'seats', name: named('seats'), quantity: 3 },
  ])
  await soundBooks()
})

it('refuses extras that are not offered, more than the most, archived ones and fees by name, and writes nothing', async () => {
  const customer = await buyer(test, 30_000n)
  await made('gone', 'addon', 100n, 5)
  await edited('gone', { is_active: false })
  const refused: [Record<string, number>, object][] = [
    [{ seats: 11 }, refusal(400, 'quantity_too_large', 'extras')],
    [{ course: 4 }, refusal(400, 'quantity_too_large', 'extras')],
    [{ gone: 1 }, refusal(400, 'unknown_extra', 'extras')],
    [{ setup: 1 }, refusal(400, 'unknown_extra', 'extras')],
    [{ nothing: 1 }, refusal(400, 'unknown_extra', 'extras')],
  ]
  for (const [wanted, body] of refused)
    expect(await order(customer, wanted, 4490n), JSON.stringify(wanted)).toMatchObject({ status: 400, body })
  const twice = { extras: [...chosen({ seats: 1 }), ...chosen({ seats: 2 })] }
  expect(await order(customer, {}, 4490n, twice)).toMatchObject({ status: 400 })
  expect(await order(customer, { seats: 0 }, 4490n)).toMatchObject({ status: 400 })
  expect(
    await order(customer, {}, 4490n, { plan: 'large-month', extras: chosen({ seats: 1 }) }),
  ).toMatchObject({
    status: 400,
    body: refusal(400, 'unknown_extra', 'extras'),
  })
  const tried = { extras: chosen({ seats: 1 }), trial: true, expected_total: toMoney(0n, 'EUR') }
  expect(await order(customer, {}, 0n, tried)).toMatchObject({ status: 400 })
  expect(await balance(customer)).toBe(30_000n)
})

it('a renewal keeps the add-ons at the agreed price, without fee and one-off, whatever the catalogue says meanwhile', async () => {
  const customer = await buyer(test, 60_000n)
  await made('chat', 'addon', 500n, 4)
  const { host } = bodyOf(await order(customer, { chat: 2, course: 1 }, 1990n + 2500n + 1000n + 4900n), 201)
  await edited('chat', { net: 900n })
  expect((await offerFor(customer, host.id)).extras).toMatchObject([
    { slug: 'seats', quantity: 0 },
    { slug: 'course', quantity: 0 },
    { slug: 'chat', quantity: 2, price_net: { amount: '500' } },
  ])
  bodyOf(await renew(customer, host.id, 2990n, { extras: chosen({ chat: 2 }) }), 201)
  await edited('chat', { is_active: false })
  expect(await renew(customer, host.id, 2990n + 500n, { extras: chosen({ chat: 3 }) })).toMatchObject({
    status: 400,
    body: refusal(400, 'quantity_too_large', 'extras'),
  })
  bodyOf(
    await customer.api.call(updateHost, { params: { hostId: host.id }, body: { auto_renew: true } }),
    200,
  )
  // Two months are 59 to 62 days.
  const left_ms = Date.parse(String((await hostOf(customer, host.id)).licence.paid_until)) - Date.now()
  await passTime(test, Math.floor(left_ms / 86_400_000))
  await doLicenceJobs(test)
  expect(await chargesOf(host.id)).toEqual(['10390', '2990', '2990'])
  // One piece less by hand, and none any more: the order names what it takes.
  bodyOf(await renew(customer, host.id, 2490n, { extras: chosen({ chat: 1 }) }), 201)
  bodyOf(await renew(customer, host.id, 1990n, { extras: [] }), 201)
  expect((await hostOf(customer, host.id)).licence).not.toHaveProperty('extras')
  await soundBooks()
})

it('add-ons chosen for the end are announced by the preview, and the renewal by itself has them', async () => {
  const customer = await buyer(test, 60_000n)
  const { host } = bodyOf(await order(customer, { seats: 1 }, 4790n), 201)
  const preview = (extras?: object) =>
    customer.api.call(sales.previewUpgrade, {
      params: { hostId: host.id },
      body: { plan: 'standard-month', when: 'end', ...(extras && { extras: extras as [] }) },
    })
  expect(bodyOf(await preview(), 200).renewal).toEqual(shown(2290n))
  const choice = chosen({ seats: 4 })
  expect(bodyOf(await preview(choice), 200).renewal).toEqual(shown(3190n))
  const choose = (extras: typeof choice, net: bigint) =>
    customer.api.call(sales.chooseRenewalExtras, {
      params: { hostId: host.id },
      body: { extras, expected_total: shown(net) },
    })
  expect(await choose(choice, 2290n)).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'price_changed' }], preview: { renewal: shown(3190n) } },
  })
  expect(await choose(chosen({ course: 1 }), 1990n + 4900n)).toMatchObject({ status: 400 })
  expect(bodyOf(await choose(choice, 3190n), 200).licence.extras).toMatchObject([
    { extra: 'seats', quantity: 4 },
  ])
  expect(await balance(customer), 'nothing is charged').toBe(60_000n - gross(4790n))
  bodyOf(
    await customer.api.call(updateHost, { params: { hostId: host.id }, body: { auto_renew: true } }),
    200,
  )
  await passTime(test, 25)
  await doLicenceJobs(test)
  const mail = await test.mails.about(customer.email, / will be renewed$/)
  await passTime(test, 6)
  await doLicenceJobs(test)
  expect(await chargesOf(host.id)).toEqual(['4790', '3190'])
  expect(await asOwner(test, 'select 1 from chosen_extras where user_id = $1', [customer.user_id])).toEqual(
    [],
  )
  expect(mail.text).toContain('37.96')
  // Renewals come again each term, which the limit of a month cannot bound.
  const limited = await helperOf(test, customer, { role: 'billing', month_limit: '100000' })
  const path = `/api/hosts/${host.id}/licence/extras/?for=${customer.user_id}`
  expect(
    await limited.api.send('PUT', path, { extras: choice, expected_total: shown(3190n) }, {}),
  ).toMatchObject({ status: 403, body: refusal(403, 'not_allowed_for_role') })
  await soundBooks()
})

it('an upgrade credits the add-ons by the day and charges them at the agreed price to the same end', async () => {
  const customer = await buyer(test, 60_000n)
  await made('large-setup', 'setup', 700n, 1, 'large')
  const { host } = bodyOf(await order(customer, { seats: 2, course: 1 }, 9990n), 201)
  await passTime(test, 15)
  const params = { hostId: host.id }
  const preview = bodyOf(
    await customer.api.call(sales.previewUpgrade, { params, body: { plan: 'large-month' } }),
    200,
  )
  expect(preview.extras).toMatchObject([
    { name: named('large-setup'), quantity: 1, net: { amount: '700' } },
    { name: named('seats'), quantity: 2 },
  ])
  expect(preview.renewal).toEqual(shown(4600n))
  const before = await balance(customer)
  const { credits, charges } = bodyOf(
    await customer.api.call(sales.upgradeLicence, {
      params,
      headers: { 'idempotency-key': randomUUID() },
      body: { plan: 'large-month', as_of: preview.as_of, expected_total: preview.pay_now, begin_now: true },
    }),
    201,
  )
  expect(await balance(customer)).toBe(before - BigInt(preview.pay_now.amount))
  // The credit is about half of the time of plan and add-ons, and nothing of what was paid once.
  const credited = BigInt(must(credits[0]).amount.amount)
  expect(credited).toBeGreaterThan(gross(2590n) / 2n - 100n)
  expect(credited).toBeLessThan(gross(2590n) / 2n + 100n)
  const [old, now] = (await valuesOf(host.id)) as { net: number; once: number }[]
  expect([old?.once, now?.once]).toEqual([7400, 700])
  const [{ id }] = (await asOwner(
    test,
    `select invoice_id as id from licence_orders where transaction_id = $1`,
    [must(charges[0]).id],
  )) as [{ id: string }]
  const { lines } = bodyOf(await customer.api.call(getInvoice, { params: { publicId: id } }), 200)
  expect(lines.map(({ description }) => description.code)).toEqual(['licence_upgrade', 'extra', 'extra'])
  expect(lines.reduce((sum, { price }) => sum + BigInt(price.amount), 0n)).toBe(BigInt(must(now).net + 700))
  expect((await hostOf(customer, host.id)).licence.extras).toMatchObject([{ extra: 'seats', quantity: 2 }])
  await soundBooks()
})

it('L-02 a withdrawal gives back all that was paid once, and the unused share of the rest', async () => {
  const customer = await buyer(test, 60_000n)
  const net = 1990n + 2500n + 600n + 4900n
  const { host, transaction: paid } = bodyOf(await order(customer, { seats: 2, course: 1 }, net), 201)
  await passTime(test, 10)
  const { items } = bodyOf(
    await customer.api.call(sales.listPaidPeriods, { params: { hostId: host.id }, query: {} }),
    200,
  )
  const order_id = must(items[0]?.withdrawal).order_id
  const declared = bodyOf(
    await customer.api.call(sales.withdrawLicence, { params: { hostId: host.id }, body: { order_id } }),
    201,
  )
  const proposed = BigInt(declared.proposed_refund.amount)
  const [once, time] = [gross(7400n), gross(2590n)]
  expect(proposed).toBeGreaterThan(once + (time * 60n) / 100n)
  expect(proposed).toBeLessThan(once + (time * 70n) / 100n)
  const refunded = await admin.api.call(sales.refundTransaction, {
    params: { userId: customer.user_id, id: paid.id },
    headers: { 'idempotency-key': randomUUID() },
    body: { amount: String(proposed), reason: 'Withdrawn' },
  })
  expect(refunded.status).toBe(201)
  const [left] = (await valuesOf(host.id)) as { net: number; once: number }[]
  expect(left?.once).toBe(0)
  expect(left?.net).toBeGreaterThan(0)
  // The order that comes after it is the first again: the fee is due anew.
  expect((await offerFor(customer, host.id)).extras?.map(({ slug }) => slug)).toContain('setup')
  await soundBooks()
})

it('a checkout brings the money of the extras, and refuses what the order would refuse', async () => {
  const customer = await buyer(test, 500n)
  const net = 1990n + 2500n + 600n
  const wish = { extras: chosen({ seats: 2 }), begin_now: true, expected_total: shown(net) }
  expect(await beginCheckout(customer, { ...wish, expected_total: shown(1990n) })).toMatchObject({
    status: 409,
  })
  expect(await beginCheckout(customer, { ...wish, extras: chosen({ seats: 99 }) })).toMatchObject({
    status: 400,
  })
  const checkout = await begunCheckout(customer, wish)
  expect(checkout.top_up.amount.amount).toBe(String(gross(net) - 500n))
  // A price that has changed meanwhile orders nothing, and the money stays.
  expect(await postPayment(test, paymentEvent(checkout.id, 'paid'))).toBe(200)
  const { state, host_id } = await checkoutState(customer, checkout.id)
  expect(state).toBe('done')
  expect((await hostOf(customer, must(host_id))).licence.extras).toMatchObject([
    { extra: 'seats', quantity: 2 },
  ])
  expect(await balance(customer)).toBe(0n)

  const other = await buyer(test, 0n)
  const waiting = await begunCheckout(other, wish)
  await edited('seats', { net: 301n })
  expect(await postPayment(test, paymentEvent(waiting.id, 'paid'))).toBe(200)
  expect(await checkoutState(other, waiting.id)).toMatchObject({ state: 'failed', refusal: 'price_changed' })
  expect(await balance(other)).toBe(gross(net))
  await edited('seats', { net: 300n })
  await soundBooks()
})

it('an order of several servers has the extras of each', async () => {
  const customer = await buyer(test, 60_000n)
  const hosts = [
    { name: 'one', ipv4: anyAddress(), extras: chosen({ seats: 2 }) },
    { name: 'two', ipv4: anyAddress(), extras: chosen({ course: 1 }) },
    { name: 'three', ipv4: anyAddress() },
  ]
  const body = { act: 'order', plan: 'standard-month', hosts } as const
  const { expected_total } = bodyOf(await customer.api.call(previewBulk, { body }), 200)
  const net = 3n * (1990n + 2500n) + 600n + 4900n
  expect(expected_total).toEqual(shown(net))
  const done = bodyOf(
    await customer.api.call(orderBulk, {
      headers: { 'idempotency-key': randomUUID() },
      body: { ...body, expected_total, begin_now: true },
    }),
    200,
  )
  expect(done.servers).toHaveLength(3)
  expect(await balance(customer)).toBe(60_000n - gross(net))
  expect(await chargesOf(must(done.servers[0]).id)).toEqual(['5090'])
  await soundBooks()
})

it('a promo code lowers the plan alone, of one server and of several', async () => {
  const customer = await buyer(test, 60_000n)
  const code = 'HALF-OFF'
  await transaction(app, 'system', (tx) =>
    makePromoCode(
      app,
      tx,
      {
        code,
        percent: 50,
        amount: null,
        editions: null,
        first_order_only: false,
        renewals: 1,
        uses: 10,
        note: '',
        expires_at: null,
      },
      { by: null },
    ),
  )
  const hosts = ['one', 'two'].map((name) => ({ name, ipv4: anyAddress(), extras: chosen({ seats: 1 }) }))
  const body = { act: 'order', plan: 'standard-month', hosts, promo: code } as const
  const { expected_total } = bodyOf(await customer.api.call(previewBulk, { body }), 200)
  expect(expected_total).toEqual(shown(2n * (995n + 2500n + 300n)))
  const done = bodyOf(
    await customer.api.call(orderBulk, {
      headers: { 'idempotency-key': randomUUID() },
      body: { ...body, expected_total, begin_now: true },
    }),
    200,
  )
  const { id } = must(done.servers[0])
  bodyOf(await renew(customer, id, 995n + 300n), 201)
  bodyOf(await renew(customer, id, 1990n + 300n), 201)
  await soundBooks()
})

it('add-ons end with a change of the owner, who has agreed to none', async () => {
  const [owner, receiver] = [await buyer(test, 30_000n), await buyer(test, 30_000n)]
  const { host } = bodyOf(await order(owner, { seats: 1 }, 4790n), 201)
  await transferred(owner, receiver, host.id)
  expect((await hostOf(receiver, host.id)).licence).not.toHaveProperty('extras')
  bodyOf(await renew(receiver, host.id, 1990n), 201)
})

it('a renewal by itself that moves to another edition charges no fee of it: nobody is there to read of it', async () => {
  const customer = await buyer(test, 60_000n)
  await made('grand-setup', 'setup', 900n, 1, 'large')
  const { host } = bodyOf(await order(customer, {}, 4490n), 201)
  const params = { hostId: host.id }
  const body = { plan: 'large-month', from: 'standard-month', expected_total: shown(4000n), auto_renew: true }
  bodyOf(await customer.api.call(sales.chooseRenewalPlan, { params, body }), 200)
  await passTime(test, 31)
  await doLicenceJobs(test)
  expect(await chargesOf(host.id)).toEqual(['4490', '4000'])
  await soundBooks()
})
