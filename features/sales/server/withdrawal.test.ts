import { afterAll, expect, it } from 'vitest'
import { refundTransaction } from '#features/sales/contract.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import * as contract from '#features/licences/contract.ts'
import { withdrawableOf } from '#features/legal/server/withdrawal-queries.ts'
import * as sales from '#features/sales/contract.ts'
import { personalFiles } from '#features/profile/server/profile.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { agreed as agreedToPay } from '#tests/harness/payers.ts'
import {
  anyAddress,
  buyer,
  doLicenceJobs,
  orderHost,
  orderLicence,
  passTime,
  stockShop,
} from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { believePlace } from '#tests/harness/vat-proof.ts'

const url = 'https://nordic.example/withdrawal'
const test = await startTestApp({ settings: { WITHDRAWAL_URL: url, STAFF_APPROVALS: 'off' } })
const plain = await startTestApp()
await stockShop(test)
await stockShop(plain)
const owner = await superuserOf(test)
afterAll(() => owner.end())
const TOTAL = 2368n
const agreed = { begin_now: true } as const

const withdraw = ({ api }: Customer, hostId: string, order_id: string) =>
  api.call(sales.withdrawLicence, { params: { hostId }, body: { order_id } })
const periodsOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const hostOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(getHost, { params: { hostId } }), 200)

/** A consumer with a month of licence, ordered by them; `order_id` as the history names it. */
async function ordered(balance = 20_000n) {
  const customer = await buyer(test, balance)
  const { host, transaction: paid } = bodyOf(await orderHost(customer, { agreed }), 201)
  const [period] = await periodsOf(customer, host.id)
  return { customer, hostId: host.id, paid, order_id: must(period?.withdrawal).order_id }
}

it('L-02 without WITHDRAWAL_URL nobody is asked, and no order can be withdrawn from', async () => {
  const customer = await buyer(plain, 20_000n)
  const { host } = bodyOf(await orderHost(customer, { ipv4: anyAddress() }), 201)
  const [period] = await periodsOf(customer, host.id)
  expect(period).not.toHaveProperty('withdrawal')
  const { items } = bodyOf(await customer.api.call(contract.listPlans, { query: {} }), 200)
  expect(items.filter((plan) => 'withdrawal_url' in plan)).toEqual([])
})

it('L-02 a consumer in the EU asks for the beginning at once; a business and a consumer elsewhere need not', async () => {
  const consumer = await buyer(test, 20_000n)
  const missing = { status: 400, body: refusal(400, 'required', 'begin_now') }
  expect(await orderHost(consumer)).toMatchObject(missing)
  expect(await orderHost(consumer, { agreed: { begin_now: false } })).toMatchObject(missing)
  expect(await balanceOf(test.app, test.app.db, consumer.user_id)).toBe(20_000n)
  const plans = bodyOf(await consumer.api.call(contract.listPlans, { query: {} }), 200).items
  expect(plans.map(({ withdrawal_url }) => withdrawal_url)).toEqual(plans.map(() => url))
  const whole = { name: 'Anna', address: 'Lindenweg 7', zip: '22085', city: 'Hamburg' }
  for (const body of [
    { ...whole, country: 'DE', vat_id: 'DE123456789' },
    { ...whole, country: 'US' },
  ]) {
    const other = await buyer(test, 20_000n)
    bodyOf(await other.api.call(updateProfile, { body }), 200)
    await believePlace(test, other.user_id, body.country)
    const { items } = bodyOf(await other.api.call(contract.listPlans, { query: {} }), 200)
    expect(items[0]).not.toHaveProperty('withdrawal_url')
    const total = BigInt(must(items.find(({ slug }) => slug === 'standard-month')).price_total.amount)
    const { host } = bodyOf(await orderHost(other, { total }), 201)
    expect((await periodsOf(other, host.id))[0]).not.toHaveProperty('withdrawal')
  }
})

it('L-02 a withdrawal ends the licence now, proposes the unused share, and is mailed as proof', async () => {
  const { customer, hostId, order_id } = await ordered()
  await customer.api.call(updateHost, { params: { hostId }, body: { auto_renew: true } })
  const declared = bodyOf(await withdraw(customer, hostId, order_id), 201)
  const proposed = BigInt(declared.proposed_refund.amount)
  // Some seconds of a month are worth a cent at most, and the refund is rounded up in the customer's favour.
  expect(proposed).toBeGreaterThanOrEqual(TOTAL - 1n)
  expect(proposed).toBeLessThanOrEqual(TOTAL)
  expect(await hostOf(customer, hostId)).toMatchObject({ auto_renew: false, licence: { status: 'expired' } })
  expect(await periodsOf(customer, hostId)).toMatchObject([{ ended: 'refunded', withdrawal: { declared } }])
  expect(await balanceOf(test.app, test.app.db, customer.user_id), 'billing refunds').toBe(20_000n - TOTAL)
  const { text } = await test.mails.about(customer.email, /^We have received your withdrawal$/)
  expect(text).toContain(order_id)
  const { items } = bodyOf(await customer.api.call(listActivity, { query: {} }), 200)
  expect(items.filter(({ act }) => act === 'withdrawal.declared')).toMatchObject([{ by: 'you' }])
  const files = await transaction(test.app, 'system', (tx) => personalFiles(test.app, tx, customer.user_id))
  expect(await must(files.find(({ path }) => path === 'withdrawals.json')).read()).toMatchObject([
    { order_id },
  ])
  expect(await withdraw(customer, hostId, order_id), 'again is the same').toMatchObject({
    status: 201,
    body: declared,
  })
})

it('L-02 a withdrawal after a refund in part proposes no more than is left of the order', async () => {
  const { customer, hostId, order_id, paid } = await ordered()
  const billing = await signedInStaff(test)
  const refunded = await billing.api.call(refundTransaction, {
    params: { userId: customer.user_id, id: paid.id },
    headers: { 'idempotency-key': 'part' },
    body: { amount: '2000', reason: 'Two days of outage' },
  })
  expect(refunded.status).toBe(201)
  const declared = bodyOf(await withdraw(customer, hostId, order_id), 201)
  expect(declared.proposed_refund.amount).toBe(`${TOTAL - 2000n}`)
})

it('L-02 who orders at the cost of another account is no consumer: nobody is asked, and the order cannot be withdrawn from', async () => {
  const [client, payer] = [await buyer(test, 0n), await buyer(test, 20_000n)]
  const host = await addHost(client.api, { name: 'paid-for', ipv4: anyAddress() })
  await agreedToPay(client, payer, { host_ids: [host.id] })
  expect((await orderLicence(client, host.id)).status).toBe(200)
  const [period] = await periodsOf(client, host.id)
  expect(period).not.toHaveProperty('withdrawal')
})

it('L-02 billing is mailed about the refund, and counts it until it is booked', async () => {
  const billing = await signedInStaff(test, { locale: 'de' })
  const support = await signedInStaff(test)
  await transaction(test.app, 'system', (tx) => setStaffRoles(tx, support.user_id, ['support']))
  const waitingOf = async ({ api }: Customer) => bodyOf(await api.call(getStaffMe, {}), 200).waiting
  const before = await waitingOf(billing)
  const { customer, hostId, order_id, paid } = await ordered()
  bodyOf(await withdraw(customer, hostId, order_id), 201)
  const mail = await test.mails.next(billing.email)
  expect(mail.subject).toMatch(/^Widerruf: /)
  expect(await waitingOf(billing)).toBe(before + 1)
  expect(await waitingOf(support)).toBe(0)
  const params = { userId: customer.user_id, id: paid.id }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const refund = await billing.api.call(refundTransaction, { params, headers, body: { reason: 'Withdrawn' } })
  expect(refund.status).toBe(201)
  expect(await waitingOf(billing)).toBe(before)
})

it('L-02 no withdrawal is possible from an order that was refunded', async () => {
  const billing = await signedInStaff(test)
  const { customer, hostId, order_id, paid } = await ordered()
  const params = { userId: customer.user_id, id: paid.id }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const refund = await billing.api.call(refundTransaction, { params, headers, body: { reason: 'Goodwill' } })
  expect(refund.status).toBe(201)
  const refused = { status: 409, body: refusal(409, 'not_withdrawable') }
  expect(await withdraw(customer, hostId, order_id)).toMatchObject(refused)
})

it('L-02 of a renewal in advance all is proposed, and what runs goes on', async () => {
  const { customer, hostId } = await ordered()
  const before = await hostOf(customer, hostId)
  bodyOf(await orderLicence(customer, hostId, { agreed }), 201)
  const [renewal] = await periodsOf(customer, hostId)
  const declared = bodyOf(await withdraw(customer, hostId, must(renewal?.withdrawal).order_id), 201)
  expect(BigInt(declared.proposed_refund.amount)).toBe(TOTAL)
  expect((await hostOf(customer, hostId)).licence.paid_until).toBe(before.licence.paid_until)
})

it('L-02 twenty withdrawals at once are one, beside an order that comes with them', async () => {
  const { customer, hostId, order_id } = await ordered(50_000n)
  const [renewed, ...replies] = await Promise.all([
    orderLicence(customer, hostId, { agreed }),
    ...Array.from({ length: 20 }, () => withdraw(customer, hostId, order_id)),
  ])
  expect(renewed.status).toBe(201)
  expect(new Set(replies.map((reply) => JSON.stringify([reply.status, reply.body]))).size).toBe(1)
  const rows = await test.app.db
    .selectFrom('withdrawals')
    .select('id')
    .where('order_id', '=', order_id)
    .execute()
  expect(rows).toHaveLength(1)
  const [latest] = await periodsOf(customer, hostId)
  expect(latest, 'the other order keeps its whole month').toMatchObject({
    ended: null,
    withdrawal: { declared: null },
  })
  expect((await hostOf(customer, hostId)).licence.status).toBe('active')
})

it('L-02 no withdrawal is possible after 14 days, from an order of another customer, or from an automatic renewal', async () => {
  const late = await ordered()
  const shift = async (days: number) => {
    await owner.query('set session_replication_role = replica')
    await owner.query(
      `update acceptances set at = now() - make_interval(days => $1::int) where order_id = $2`,
      [days, late.order_id],
    )
  }
  // Two days more than fourteen where the last one is a Saturday.
  await shift(17)
  expect(await withdraw(late.customer, late.hostId, late.order_id)).toMatchObject({
    status: 409,
    body: refusal(409, 'withdrawal_over'),
  })
  const endsAfter = async (at: string) => {
    await owner.query('update acceptances set at = $1 where order_id = $2', [at, late.order_id])
    const [one] = await withdrawableOf(test.app.db, [late.order_id], 'Europe/Berlin')
    return one?.until.toISOString()
  }
  // A Wednesday, a Friday evening that is Saturday in Berlin, a Saturday and a Sunday.
  expect(await endsAfter('2026-12-02T10:00:00Z')).toBe('2026-12-16T23:00:00.000Z')
  expect(await endsAfter('2026-12-04T23:30:00Z')).toBe('2026-12-21T23:00:00.000Z')
  expect(await endsAfter('2026-12-05T10:00:00Z')).toBe('2026-12-21T23:00:00.000Z')
  expect(await endsAfter('2026-12-06T10:00:00Z')).toBe('2026-12-21T23:00:00.000Z')
  await shift(14)
  expect((await withdraw(late.customer, late.hostId, late.order_id)).status, 'the last day').toBe(201)
  const other = await ordered()
  expect((await withdraw(other.customer, late.hostId, late.order_id)).status).toBe(404)
  expect((await withdraw(other.customer, other.hostId, late.order_id)).status).toBe(404)
  await other.customer.api.call(updateHost, { params: { hostId: other.hostId }, body: { auto_renew: true } })
  const { remaining_s } = (await hostOf(other.customer, other.hostId)).licence
  await passTime(test, remaining_s / 86_400 - 0.5)
  await doLicenceJobs(test)
  const [automatic] = await periodsOf(other.customer, other.hostId)
  expect(automatic).toMatchObject({ kind: 'auto_renewal' })
  expect(automatic).not.toHaveProperty('withdrawal')
})

it('L-03 billing sees the proposed refund until it is booked; support reads it, and nobody else', async () => {
  const { customer, hostId, order_id, paid } = await ordered()
  const declared = bodyOf(await withdraw(customer, hostId, order_id), 201)
  const owner = await signedInStaff(test)
  const waiting = async () =>
    bodyOf(await owner.api.call(sales.listWithdrawals, { query: { limit: '100' } }), 200).items.filter(
      (row) => row.customer.id === customer.user_id,
    )
  expect(await waiting()).toMatchObject([{ ...declared, transaction: { id: paid.id } }])
  expect((await customer.api.call(sales.listWithdrawals, { query: {} })).status).toBe(403)
  const refunded = await owner.api.call(refundTransaction, {
    params: { userId: customer.user_id, id: paid.id },
    headers: { 'idempotency-key': order_id },
    body: { amount: declared.proposed_refund.amount, reason: 'Withdrawal' },
  })
  expect(refunded.status).toBe(201)
  expect(await waiting()).toEqual([])
})
