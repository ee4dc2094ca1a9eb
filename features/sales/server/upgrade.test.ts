import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { bookRefund } from './book-refund.ts'
import { getHost } from '#features/hosts/contract.ts'
import { getInvoice, reissueInvoice } from '#features/invoices/contract.ts'
import * as contract from '#features/licences/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import type { UpgradePreview } from '#features/sales/upgrade-preview.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { buyer, doLicenceJobs, orderHost, orderLicence, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { addPlan, editPlan } from '#features/licences/server/catalogue.ts'
import { suspend } from '#features/licences/server/suspensions.ts'

// Standard costs 19.90 a month and is the lowest edition; plans that are added later are editions above it.
const test = await startTestApp({ settings: { STAFF_APPROVALS: 'off' } })
const { app } = test
await stockShop(test)
const sell = (slug: string, term: 'P1M' | 'P1Y', price_net: bigint) =>
  transaction(app, 'system', (tx) =>
    addPlan(tx, { slug, name: { en: slug, de: slug, ru: slug }, term, price_net }),
  )
await sell('business-month', 'P1M', 4990n)
await sell('business-year', 'P1Y', 49_900n)
await sell('ultra-month', 'P1M', 9990n)

const preview = ({ api }: Customer, hostId: string, plan = 'business-month', scope?: 'present' | 'all') =>
  api.call(sales.previewUpgrade, { params: { hostId }, body: { plan, ...(scope && { scope }) } })

type Body = Parameters<typeof upgrade>[2]
const upgrade = (
  { api }: Customer,
  hostId: string,
  body: { plan: string; expected_total: { amount: string; currency: string } } & Record<string, unknown>,
  key = randomUUID(),
) =>
  api.call(sales.upgradeLicence, {
    params: { hostId },
    headers: { 'idempotency-key': key },
    body,
  })
const asShown = ({ plan, pay_now, as_of }: UpgradePreview): Body => ({
  plan: plan.slug,
  expected_total: pay_now,
  as_of,
})

const historyOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const invoiceOf = async ({ api }: Customer, publicId: string | null) =>
  bodyOf(await api.call(getInvoice, { params: { publicId: publicId ?? '' } }), 200)
const balance = ({ user_id }: Customer) => balanceOf(app, app.db, user_id)
const soundBooks = async () => {
  await doLicenceJobs(test)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  expect(await mistakesIn(test)).toEqual([])
}

/** A customer in the middle of a month of Standard: exactly half of it is left. */
async function halfway(money = 100_000n) {
  const customer = await buyer(test, money)
  const { host, invoice, transaction: paid } = bodyOf(await orderHost(customer), 201)
  const [period] = await historyOf(customer, host.id)
  const length_ms = Date.parse(must(period).ends_at) - Date.parse(must(period).starts_at)
  await passTime(test, length_ms / 2 / 86_400_000)
  return { customer, hostId: host.id, invoice, paid }
}

it('L-16 an upgrade in the middle of a month credits half of it, and charges half of the new price to the same end', async () => {
  const { customer, hostId, invoice } = await halfway()
  const before = await balance(customer)
  const shown = bodyOf(await preview(customer, hostId), 200)
  // The halves of 19.90 and of 49.90, each with its VAT.
  expect(shown).toMatchObject({
    credit: { amount: '1184' },
    charge: { amount: '2969' },
    pay_now: { amount: '1785' },
    renewal: { amount: '5938' },
    balance_after: { amount: (before - 1785n).toString() },
    periods: [{ credit: { amount: '1184' }, net: { amount: '2495' }, vat: { amount: '474' } }],
  })
  expect(await balance(customer)).toBe(before)
  const { host, credits, charges } = bodyOf(await upgrade(customer, hostId, asShown(shown)), 201)
  expect(await balance(customer)).toBe(before - 1785n)
  const [old] = await historyOf(customer, hostId).then((items) => items.slice(-1))
  expect(host.licence).toMatchObject({
    plan: { slug: 'business-month' },
    paid_until: shown.periods[0]?.ends_at,
  })
  expect(old).toMatchObject({ ended: 'upgraded', ends_at: shown.as_of })
  expect((await historyOf(customer, hostId))[0]).toMatchObject({ kind: 'upgrade', starts_at: shown.as_of })
  expect(charges).toMatchObject([{ type: 'spend', description: { code: 'licence_upgrade' } }])
  expect(credits).toMatchObject([{ type: 'return_on_balance', description: { code: 'upgrade_credit' } }])
  expect(await invoiceOf(customer, must(credits[0]).invoice_id)).toMatchObject({
    kind: 'credit_note',
    net: { amount: '995' },
    total: { amount: '1184' },
  })
  const [line] = (await invoiceOf(customer, must(charges[0]).invoice_id)).lines
  expect(line?.description.code).toBe('licence_upgrade')
  expect((await invoiceOf(customer, invoice.id)).status).toBe('paid')
  await soundBooks()
  const acts = bodyOf(await customer.api.call(listActivity, { query: {} }), 200).items
  expect(acts.map(({ act }) => act)).toContain('licence.upgraded')
})

it('L-16 the price of the preview counts for its time; another is refused with the present one, and the key is free', async () => {
  const { customer, hostId } = await halfway()
  const shown = bodyOf(await preview(customer, hostId), 200)
  const key = randomUUID()
  const wrong = { ...asShown(shown), expected_total: toMoney(1n, 'EUR') }
  const before = await balance(customer)
  const refused = await upgrade(customer, hostId, wrong, key)
  expect(refused).toMatchObject({
    status: 409,
    body: { ...refusal(409, 'price_changed'), preview: { pay_now: { amount: '1785' } } },
  })
  expect(await balance(customer)).toBe(before)
  expect(await historyOf(customer, hostId)).toHaveLength(1)
  // A day later the preview counts no longer: the credit and the charge are both lower.
  await passTime(test, 1)
  expect((await upgrade(customer, hostId, asShown(shown), key)).status).toBe(409)
  // This is the moment of the preview in the shifted time. The price was right then, but a day ago is too long ago.
  const yesterday = new Date(Date.parse(shown.as_of) - 86_400_000).toISOString()
  const late = { ...asShown(shown), as_of: yesterday }
  expect((await upgrade(customer, hostId, late)).body).toMatchObject(refusal(409, 'price_changed'))
  const now = bodyOf(await preview(customer, hostId), 200)
  expect(now.pay_now.amount).not.toBe('1785')
  const [one, other] = await Promise.all([
    upgrade(customer, hostId, asShown(now), key),
    upgrade(customer, hostId, asShown(now), key),
  ])
  expect([one.status, other.status]).toEqual([201, 201])
  expect(one.body).toEqual(other.body)
  expect(await historyOf(customer, hostId)).toHaveLength(2)
  // Two people have two tabs: the plan that the first has bought is no upgrade for the second.
  expect((await upgrade(customer, hostId, asShown(now))).body).toMatchObject(refusal(409, 'not_an_upgrade'))
  await soundBooks()
})

it('L-16 a plan that became dearer since the preview is refused, and shown with its new price', async () => {
  await sell('dear-month', 'P1M', 6000n)
  const { customer, hostId } = await halfway()
  const shown = bodyOf(await preview(customer, hostId, 'dear-month'), 200)
  await transaction(app, 'system', (tx) => editPlan(tx, 'dear-month', { price_net: 7000n }))
  const answer = await upgrade(customer, hostId, asShown(shown))
  expect(answer).toMatchObject({
    status: 409,
    body: { preview: { charge: { amount: '4165' }, credit: shown.credit } },
  })
})

it('L-17 only a higher edition with the same term is an upgrade, for a licence that runs and may run', async () => {
  const { customer, hostId } = await halfway()
  const code = async (plan: string) => (await preview(customer, hostId, plan)).body
  expect(await code('standard-month')).toMatchObject(refusal(409, 'not_an_upgrade'))
  expect((await preview(customer, hostId, 'business-year')).status).toBe(409)
  expect((await preview(customer, hostId, 'nothing')).status).toBe(400)
  const { items } = bodyOf(await customer.api.call(contract.listPlans, { query: { host: hostId } }), 200)
  expect(items.filter(({ upgrade: is }) => is).map(({ slug }) => slug)).toEqual([
    'business-month',
    'ultra-month',
    'dear-month',
  ])
  const shown = bodyOf(await preview(customer, hostId), 200)
  await suspend(app, {}, hostId, { reason: 'abuse', text: '', note: 'x' })
  expect((await upgrade(customer, hostId, asShown(shown))).body).toMatchObject({
    errors: [{ code: 'host_suspended' }],
  })
  const over = await buyer(test, 10_000n)
  const { host } = bodyOf(await orderHost(over), 201)
  await passTime(test, 32)
  expect((await preview(over, host.id)).body).toMatchObject({ errors: [{ code: 'not_an_upgrade' }] })
})

it('L-17 in the last minutes of a month, which nobody could be charged for, there is no upgrade', async () => {
  const customer = await buyer(test, 100_000n)
  const { host } = bodyOf(await orderHost(customer), 201)
  const [period] = await historyOf(customer, host.id)
  const length_ms = Date.parse(must(period).ends_at) - Date.parse(must(period).starts_at)
  // A cent of 49.90 a month pays for some nine minutes, so the last four minutes are worth nothing.
  await passTime(test, (length_ms - 240_000) / 86_400_000)
  expect((await preview(customer, host.id)).body).toMatchObject(refusal(409, 'too_little_left'))
  expect(await historyOf(customer, host.id)).toHaveLength(1)
})

it('L-17 an upgrade that balance and credit together do not cover is refused as a whole, and credits nothing', async () => {
  const { customer, hostId } = await halfway(2368n + 1784n)
  const shown = bodyOf(await preview(customer, hostId), 200)
  expect(shown.balance_after.amount).toBe('-1')
  expect((await upgrade(customer, hostId, asShown(shown))).status).toBe(402)
  expect(await balance(customer)).toBe(1784n)
  expect(await historyOf(customer, hostId)).toHaveLength(1)
  const types = bodyOf(await customer.api.call(listTransactions, { query: {} }), 200).items
  expect(types.map(({ type }) => type)).not.toContain('return_on_balance')
})

it('L-16 queued months of a lower edition are exchanged at their whole price, others stay; or the present one alone', async () => {
  const both = async (scope: 'present' | 'all') => {
    const { customer, hostId } = await halfway()
    bodyOf(await orderLicence(customer, hostId), 201)
    bodyOf(await orderLicence(customer, hostId, { plan: 'standard-year' }), 201)
    const shown = bodyOf(await preview(customer, hostId, 'business-month', scope), 200)
    const { host } = bodyOf(await upgrade(customer, hostId, { ...asShown(shown), scope }), 201)
    return { shown, licence: host.licence }
  }
  const all = await both('all')
  expect(all.shown.periods.map(({ price }) => price.amount)).toEqual(['2969', '5938'])
  expect(all.shown.credit.amount).toBe(String(1184 + 2368))
  expect(all.licence).toMatchObject({
    plan: { slug: 'business-month' },
    next: { plan: { slug: 'standard-year' } },
    renewal_plan: { slug: 'standard-year' },
  })
  const present = await both('present')
  expect(present.shown.periods).toHaveLength(1)
  expect(present.licence.next).toMatchObject({
    plan: { slug: 'standard-month' },
    starts_at: present.shown.periods[0]?.ends_at,
  })
  await soundBooks()
})

it('L-18 an upgrade of an upgrade at the same moment costs what one would have cost, and gives all of the first back', async () => {
  const { customer, hostId } = await halfway()
  const direct = bodyOf(await preview(customer, hostId, 'ultra-month'), 200)
  const before = await balance(customer)
  const first = bodyOf(await preview(customer, hostId), 200)
  bodyOf(await upgrade(customer, hostId, asShown(first)), 201)
  const second = bodyOf(await preview(customer, hostId, 'ultra-month'), 200)
  const again = bodyOf(
    await upgrade(customer, hostId, {
      ...asShown(second),
      as_of: first.as_of,
      expected_total: second.pay_now,
    }),
    201,
  )
  expect(second.credit).toEqual(first.charge)
  expect(again.host.licence.plan?.slug).toBe('ultra-month')
  expect(before - (await balance(customer))).toBe(BigInt(direct.pay_now.amount))
  await soundBooks()
})

it('L-18 an invoice that was upgraded can be issued anew, refunded in full afterwards, and never gives back more than was paid', async () => {
  const { customer, hostId, invoice, paid } = await halfway()
  const before = await balance(customer)
  const shown = bodyOf(await preview(customer, hostId), 200)
  const { charges } = bodyOf(await upgrade(customer, hostId, asShown(shown)), 201)
  const staff = await signedInStaff(test)
  const reissue = (publicId: string) =>
    staff.api.call(reissueInvoice, {
      params: { publicId },
      headers: { 'idempotency-key': randomUUID() },
      body: { buyer: 'profile', vat: 'keep', reason: 'Wrong address' },
    })
  // Only the used half is left of the first invoice.
  expect(bodyOf(await reissue(invoice.id), 201).invoice.total.amount).toBe('1184')
  const renewed = bodyOf(await reissue(must(must(charges[0]).invoice_id)), 201)
  expect(renewed.invoice.total.amount).toBe('2969')
  await soundBooks()
  // Another upgrade credits the newest invoice.
  const more = bodyOf(await preview(customer, hostId, 'ultra-month'), 200)
  const { credits } = bodyOf(await upgrade(customer, hostId, asShown(more)), 201)
  expect((await invoiceOf(customer, must(credits[0]).invoice_id)).credit_note_of?.number).toBe(
    renewed.invoice.number,
  )
  await soundBooks()
  const refund = (transaction_id: string) =>
    transaction(app, 'system', (tx) =>
      bookRefund(app, tx, { user_id: customer.user_id, transaction_id, reason: 'x' }),
    )
  await refund(paid.id)
  const last = must((await listed(customer))[0])
  await refund(last)
  expect(await balance(customer)).toBeLessThanOrEqual(before + 2368n)
  const { licence } = bodyOf(await customer.api.call(getHost, { params: { hostId } }), 200)
  expect(licence.status).toBe('expired')
  await soundBooks()
})

/** The charges for upgrades, the newest first. */
const listed = async ({ api }: Customer) =>
  bodyOf(await api.call(listTransactions, { query: { type: 'spend' } }), 200).items.map(({ id }) => id)
