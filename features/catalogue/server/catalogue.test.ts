import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { decideApproval } from '#features/approvals/contract.ts'
import * as contract from '#features/catalogue/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { getFinances, redeemVoucher } from '#features/finance/contract.ts'
import { listHosts, updateHost } from '#features/hosts/contract.ts'
import { priceOf } from '#features/licences/rules.ts'
import { mailPriceRise } from '#features/licences/server/price-rise.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { signedInStaff, signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { buyer, orderHost, orderLicence, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test
await stockShop(test)

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })
const [owner, admin, billing] = [
  await memberWith('owner'),
  await memberWith('admin'),
  await memberWith('billing'),
]
const SLUG = 'standard-month'
const DAY_MS = 86_400_000
const days = (count: number) => new Date(Date.now() + count * DAY_MS).toISOString()
const key = () => ({ 'idempotency-key': randomUUID() })

const plan = async (slug = SLUG) =>
  must(bodyOf(await admin.api.call(contract.listCatalogue, {}), 200).items.find((one) => one.slug === slug))
const change = async (fields: object, by = admin) =>
  by.api.call(contract.changePlan, {
    params: { slug: SLUG },
    body: { version: (await plan()).version, ...fields },
  })
const preview = async (price_net: string, from?: string) => {
  const query = from === undefined ? { price_net } : { price_net, from }
  const { items } = bodyOf(
    await admin.api.call(contract.previewPrice, { params: { slug: SLUG }, query }),
    200,
  )
  return items.map((row) => [row.price_net.amount, row.hosts, row.customers])
}
const renewing = async () => {
  const customer = await buyer(test, 50_000n)
  const { amount } = (await plan()).price_net
  const total = priceOf(BigInt(amount), 1900n).total
  const { host } = bodyOf(await orderHost(customer, { total }), 201)
  const body = { auto_renew: true, version: host.version }
  await customer.api.call(updateHost, { params: { hostId: host.id }, body })
  return customer
}
const upcoming = async (customer: Customer) =>
  bodyOf(await customer.api.call(getFinances, {}), 200).upcoming.map(({ total }) => total.amount)

it('B-03 a price from a day on is what orders and renewals from then on cost, and the owners are told', async () => {
  const customer = await renewing()
  await renewing()
  expect(await preview('990', days(20))).toEqual([['990', 2, 2]])
  expect(await preview('990', days(40))).toEqual([['1990', 2, 2]])
  expect(await preview('990')).toEqual([['990', 2, 2]])

  const from = days(40)
  expect(await change({ price_net: '990', from })).toMatchObject({
    status: 200,
    body: {
      price_net: { amount: '1990' },
      next_prices: [{ price_net: { amount: '990' }, from, renewals_from: from }],
      renewing: 2,
    },
  })
  expect(await upcoming(customer)).toEqual(['2368'])
  const mail = await test.mails.next(owner.email)
  expect(mail.subject).toBe('Standard: €19.90 → €9.90')
  expect(mail.text).toContain('2 licences')

  // A price from an earlier day replaces the planned one, and renewals from that day on cost the new price.
  await change({ price_net: '1490', from: days(20) })
  expect((await plan()).next_prices.map(({ price_net }) => price_net.amount)).toEqual(['1490'])
  expect(await upcoming(customer)).toEqual(['1773'])
  await passTime(test, 21)
  expect(await plan()).toMatchObject({ price_net: { amount: '1490' }, next_prices: [] })
  expect(bodyOf(await change({ is_active: false }), 200)).toMatchObject({
    price_net: { amount: '1490' },
    is_active: false,
  })
  await change({ is_active: true })
})

it('L-12 a rise reaches renewals 30 days after orders, and each who renews by themselves is mailed once', async () => {
  const customer = await renewing()
  const query = { price_net: '2990' }
  const { renewals_from } = bodyOf(
    await admin.api.call(contract.previewPrice, { params: { slug: SLUG }, query }),
    200,
  )
  expect(Date.parse(renewals_from ?? '') - Date.now()).toBeGreaterThan(29.9 * DAY_MS)
  const early = { price_net: '2990', renewals_from: days(29) }
  expect(await change(early)).toMatchObject({ status: 400, body: refusal(400, 'too_soon', 'renewals_from') })
  const storage = { extra: 'storage', kind: 'addon', name: { en: 'Storage' }, unit: '300', quantity: 4 }
  await asOwner(
    test,
    'insert into chosen_extras (host_id, user_id, extras) select id, user_id, $2 from hosts where user_id = $1',
    [customer.user_id, JSON.stringify([storage])],
  )
  const raised = bodyOf(await change({ price_net: '2990' }), 200)
  expect(raised).toMatchObject({ price_net: { amount: '2990' }, renewal_price_net: { amount: '1490' } })
  const [planned] = raised.next_prices
  expect(Date.parse(planned?.renewals_from ?? '') - Date.parse(planned?.from ?? '')).toBe(30 * DAY_MS)

  const { text } = await test.mails.about(customer.email, / will cost €35\.58 from .+$/)
  expect(text).toContain('€17.73')
  expect(text, 'the add-ons, whose price stays, for a month').toContain('extras: €14.28 for each term')
  await asOwner(test, 'delete from chosen_extras where user_id = $1', [customer.user_id])
  const [row] = (await asOwner(test, 'select max(id)::text as price from plan_prices')) as { price: string }[]
  await mailPriceRise(app, { plan: SLUG, price: must(row).price })
  const mails = `select count(*)::int as mails from mails where letter = 'price_rises' and user_id = $1`
  expect(await asOwner(test, mails, [customer.user_id])).toEqual([{ mails: 1 }])

  // A server that has the plan is renewed at the old price, also by hand; a new server costs the new price.
  const host = must(bodyOf(await customer.api.call(listHosts, { query: {} }), 200).items[0])
  const shown = async (query: { host?: string }) =>
    bodyOf(await customer.api.call(listPlans, { query }), 200).items.find(({ slug }) => slug === SLUG)
      ?.price_total.amount
  expect([await shown({ host: host.id }), await shown({})]).toEqual(['1773', '3558'])
  expect((await orderLicence(customer, host.id, { total: 1773n })).status).toBe(201)
  expect((await orderHost(customer, { total: 1773n })).status).toBe(409)
  expect(await upcoming(customer)).toEqual(['3558'])
})

it('rule 45: a change of a plan that starts from an outdated version is refused with the present plan', async () => {
  const { version } = await plan()
  await change({ price_net: '2000' })
  const stale = await change({ price_net: '1000', version })
  expect(stale).toMatchObject({ status: 409, body: { present: { price_net: { amount: '2000' } } } })
  expect((await plan()).price_net.amount).toBe('2000')
})

it('adds a plan once, by whom it may', async () => {
  const body = {
    slug: 'extra',
    name: { en: 'Extra', de: 'Extra', ru: 'Экстра' },
    term: 'P1M',
    price_net: '990',
  } as const
  expect((await admin.api.call(contract.addPlan, { body })).status).toBe(201)
  expect(await admin.api.call(contract.addPlan, { body })).toMatchObject({
    status: 409,
    body: refusal(409, 'slug_taken', 'slug'),
  })
  expect((await billing.api.call(contract.addPlan, { body: { ...body, slug: 'more' } })).status).toBe(403)
  const wrong = { ...body, slug: 'No Slug', price_net: '0' }
  expect((await admin.api.call(contract.addPlan, { body: wrong })).status).toBe(400)
  expect((await plan('extra')).sort).toBeGreaterThan((await plan()).sort)
})

const make = (amount: string, uses: number, by = billing, headers = key(), word: { word?: string } = {}) =>
  by.api.call(contract.makeVoucher, { headers, body: { amount, uses, note: 'Autumn fair', ...word } })
const redeem = (customer: Customer, code: string) =>
  customer.api.call(redeemVoucher, { headers: key(), body: { code } })

it('B-04 the code of a voucher is answered, again to the same call, and kept nowhere', async () => {
  const headers = key()
  const { code, voucher } = bodyOf(await make('10000', 2, billing, headers), 201)
  expect(voucher).toMatchObject({
    amount: { amount: '10000' },
    uses: 2,
    used: 0,
    state: 'live',
    made_by: { id: billing.user_id },
  })
  expect(bodyOf(await make('10000', 2, billing, headers), 201).code).toBe(code)
  expect(bodyOf(await make('10000', 1, admin), 201).code).not.toBe(code)
  const kept = await asOwner(
    test,
    `select from audit where detail::text like $1 union all select from idempotency_keys where body::text like $1
     union all select from approvals where input::text like $1`,
    [`%${code}%`],
  )
  expect(kept).toEqual([])
  expect((await redeem(await signedInCustomer(test), code.toLowerCase())).status).toBe(201)
  const { items } = bodyOf(await billing.api.call(contract.listVouchers, { query: {} }), 200)
  expect(items.find(({ id }) => id === voucher.id)).toMatchObject({ used: 1 })
  expect(JSON.stringify(items)).not.toContain(code)
})

it('B-04 a code can be a word of one’s own, which no other voucher has or had, and which is hard enough to try', async () => {
  const named = (word: string) => make('500', 5, billing, key(), { word })
  const { code, voucher } = bodyOf(await named('Herbst-2027'), 201)
  expect(code).toBe('HERBST-2027')
  expect((await redeem(await signedInCustomer(test), 'herbst 2o27')).status).toBe(201)
  const taken = { status: 409, body: refusal(409, 'voucher_code_taken', 'word') }
  expect(await named('HERBST2027')).toMatchObject(taken)
  await owner.api.call(contract.voidVoucher, { params: { id: voucher.id }, body: { reason: 'Over' } })
  expect(await named('HERBST-2027')).toMatchObject(taken)
  for (const word of ['SPRING7', '-SPRING-27', 'SPRING--27', 'ВЕСНА-2027', 'A'.repeat(33)])
    expect(await named(word)).toMatchObject({ status: 400, body: refusal(400, 'invalid', 'word') })
  // Two proposals of one word may wait; the second is refused when it is approved.
  const waiting = ['10000', '10001'].map((amount) => make(amount, 3, billing, key(), { word: 'WINTER-2027' }))
  const states: unknown[] = []
  for (const { status, body } of await Promise.all(waiting)) {
    const id = status === 202 ? body.approval.id : ''
    const decision = { params: { id }, body: { decision: 'approve' } } as const
    states.push(bodyOf(await owner.api.call(decideApproval, decision), 200).status)
  }
  expect(states).toEqual(['approved', 'failed'])
})

it('above the allowance, uses times value, a voucher counts once a second person approved it', async () => {
  const { code, approval } = bodyOf(await make('10000', 3), 202)
  expect(approval).toMatchObject({ act: 'vouchers.make', amount: { amount: '30000' }, why: 'allowance' })
  const customer = await signedInCustomer(test)
  expect((await redeem(customer, code)).status).toBe(400)
  const decided = await owner.api.call(decideApproval, {
    params: { id: approval.id },
    body: { decision: 'approve' },
  })
  expect(decided).toMatchObject({ status: 200, body: { status: 'approved', customer: null } })
  expect((await redeem(customer, code)).status).toBe(201)
  expect(await make('1000001', 1, owner)).toMatchObject({
    status: 400,
    body: refusal(400, 'balance_cap', 'amount'),
  })
})

it('rule 63: nobody redeems a voucher that they made', async () => {
  const { code } = bodyOf(await make('500', 3), 201)
  expect(await redeem(billing, code)).toMatchObject({ status: 403, body: refusal(403, 'own_account') })
  expect((await redeem(await signedInCustomer(test), code)).status).toBe(201)
  // Another account of the one who made it redeems it for an account that it helps.
  const [owned, second] = [await signedInCustomer(test), await signedInCustomer(test)]
  const [name, domain] = billing.email.split('@')
  await asOwner(test, `insert into email_addresses (user_id, email, verified_at) values ($1, $2, now())`, [
    second.user_id,
    `${name}+second@${domain}`,
  ])
  await helperOf(test, owned, { role: 'full' }, second)
  const acting = await second.api.post(
    `/api/finances/vouchers/?for=${owned.user_id}`,
    { code },
    { headers: key() },
  )
  expect(acting).toMatchObject({ status: 403, body: refusal(403, 'own_account') })
  expect((await redeem(owned, code)).status).toBe(201)
})

// Seen red without the lock that redemptions take: the reply counted fewer redemptions than there were.
it('voiding a voucher against 30 redemptions at once: each is before it, or refused', async () => {
  const { code, voucher } = bodyOf(await make('100', 30, owner), 201)
  const customers: Customer[] = []
  for (let count = 0; count < 30; count += 1) customers.push(await signedInCustomer(test))
  const voiding = () =>
    owner.api.call(contract.voidVoucher, { params: { id: voucher.id }, body: { reason: 'Leaked' } })
  const [replies, voided] = await Promise.all([
    Promise.all(customers.map((customer) => redeem(customer, code))),
    voiding(),
  ])
  const redeemed = replies.filter(({ status }) => status === 201).length
  expect(replies.every(({ status }) => status === 201 || status === 400)).toBe(true)
  expect(bodyOf(voided, 200)).toMatchObject({ used: redeemed, state: 'void', void_reason: 'Leaked' })
  expect(bodyOf(await voiding(), 200).voided_at).toBe(bodyOf(voided, 200).voided_at)
  const unknown = await owner.api.call(contract.voidVoucher, {
    params: { id: '99999' },
    body: { reason: 'None' },
  })
  expect(unknown.status).toBe(404)
})

it('B-03 plans are put into another order, which customers see; an order that nobody sees any more changes nothing', async () => {
  const order = async () =>
    bodyOf(await admin.api.call(contract.listCatalogue, {}), 200).items.map(({ slug }) => slug)
  const put = (slugs: string[], from: string[], by = admin) =>
    by.api.call(contract.orderPlans, { body: { slugs, from } })
  const before = await order()
  const { version } = await plan()
  const slugs = [...before.slice(1), must(before[0])]
  expect((await put(slugs, before, billing)).status).toBe(403)
  const tabs = await Promise.all([put(slugs, before), put(before.toReversed(), before)])
  expect(tabs.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  const refused = must(tabs.find(({ status }) => status === 409))
  const now = await order()
  expect(refused.body).toMatchObject({
    errors: [{ code: 'changed' }],
    present: { items: now.map((slug) => ({ slug })) },
  })
  expect(await put(slugs, now)).toMatchObject({
    status: 200,
    body: { items: slugs.map((slug) => ({ slug })) },
  })
  const sold = bodyOf(await admin.api.call(listPlans, { query: {} }), 200).items.map(({ slug }) => slug)
  expect(sold).toEqual(slugs.filter((slug) => sold.includes(slug)))
  for (const wrong of [
    slugs.slice(1),
    [...slugs.slice(1), 'no-such-plan'],
    [...slugs.slice(1), must(slugs[1])],
  ])
    expect((await put(wrong, slugs)).status).toBe(400)
  expect((await plan()).version, 'who renames one at this moment is not refused').toBe(version)
  expect(
    await asOwner(
      test,
      `select detail ->> 'order' as texts from audit where act = 'plan.ordered' order by id desc limit 1`,
    ),
  ).toEqual([{ texts: slugs.join(' ') }])
  await put(before, slugs)
})
