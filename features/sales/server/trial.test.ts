import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { getFinances, listTransactions } from '#features/finance/contract.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { deleteHost, getHost, updateHost } from '#features/hosts/contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import * as contract from '#features/licences/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { agreed as agreement } from '#tests/harness/payers.ts'
import {
  anyAddress,
  buyer,
  doLicenceJobs,
  orderHost,
  orderLicence,
  passTime,
  stockShop,
  tryHost,
  tryLicence,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { addPlan, changeEdition, suspend } from '#features/licences/server/licences.ts'

const test = await startTestApp({
  settings: {
    RATE_LIMIT_SCALE: '1000',
    EMAIL_VERIFICATION: 'optional',
    WITHDRAWAL_URL: 'https://example.com/withdrawal',
  },
})
const { app } = test
await stockShop(test)
const agreed = { begin_now: true }
const DAY_MS = 86_400_000
const trialDays = (edition: string, trial_days: number) =>
  transaction(app, 'system', (tx) => changeEdition(tx, edition, { trial_days }, { by: 'command line' }))
await transaction(app, 'system', (tx) =>
  addPlan(tx, {
    slug: 'never-month',
    name: { en: 'Never', de: 'Nie', ru: 'Никогда' },
    term: 'P1M',
    price_net: 100n,
  }),
)
await trialDays('standard', 14)

const refused = (status: number, code: string, param?: string) => ({
  status,
  body: refusal(status, code, param),
})

const plansOf = async ({ api }: Customer, host?: string) =>
  bodyOf(await api.call(contract.listPlans, { query: host === undefined ? {} : { host } }), 200).items
const offered = async (customer: Customer, host?: string) =>
  must((await plansOf(customer, host)).find(({ slug }) => slug === 'standard-month')).trial_days
const periodsOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const readHost = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(getHost, { params: { hostId } }), 200)
const inBalance = async () => expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })

/** Somebody who tries Standard on a server of theirs. */
async function trying(money = 0n) {
  const customer = await buyer(test, money)
  const { host } = bodyOf(await tryHost(customer), 200)
  return { customer, hostId: host.id, host }
}

describe('L-30 a trial', () => {
  it('runs for the days of its edition, costs nothing and leaves no document', async () => {
    const customer = await buyer(test, 5000n)
    expect(await offered(customer)).toBe(14)
    const key = randomUUID()
    const ipv4 = anyAddress()
    const { host } = bodyOf(await tryHost(customer, { key, ipv4 }), 200)
    expect(host).toMatchObject({
      auto_renew: false,
      licence: { status: 'active', plan: { slug: 'standard-month' }, price: { amount: '0' } },
    })
    const { trial_until, paid_until, ordered_at } = host.licence
    expect(trial_until).toBe(paid_until)
    expect(Date.parse(paid_until ?? '') - Date.parse(ordered_at ?? '')).toBe(14 * DAY_MS)
    // The same key answers the same, and begins nothing.
    expect(bodyOf(await tryHost(customer, { key, ipv4 }), 200).host.id).toBe(host.id)
    const { api } = customer
    expect(bodyOf(await api.call(getFinances, {}), 200).balance.amount).toBe('5000')
    expect(bodyOf(await api.call(listInvoices, { query: {} }), 200).items).toEqual([])
    const types = bodyOf(await api.call(listTransactions, { query: {} }), 200).items.map(({ type }) => type)
    expect(types).toEqual(['fill_balance'])
    expect(await periodsOf(customer, host.id)).toMatchObject([
      { kind: 'trial', total: { amount: '0' }, invoice_id: null, ended: null },
    ])
    const acts = bodyOf(await api.call(listActivity, { query: {} }), 200).items.map(({ act }) => act)
    expect(acts).toContain('licence.tried')
    await inBalance()
  })

  it('counts in documents and answers as a licence that was paid', async () => {
    const { host } = await trying()
    const body = { licence_key: host.licence_key, ipv4: must(host.ipv4) }
    const answer = bodyOf(await test.client().call(contract.validateLicence, { body }), 200)
    expect(answer).toMatchObject({ valid: true, code: 'valid', edition: 'standard' })
    const [, claims = ''] = must(answer.document).split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      status: 'active',
      plan: 'standard-month',
      edition: 'standard',
      paid_until: host.licence.paid_until,
    })
  })

  it('is once for a customer and edition, and once for an address', async () => {
    const { customer, host } = await trying()
    expect(await offered(customer)).toBe(0)
    expect(await tryHost(customer)).toMatchObject(refused(409, 'trial_used', 'plan'))
    const free = await addHost(customer.api, { ipv4: anyAddress() })
    expect(await tryLicence(customer, free.id)).toMatchObject(refused(409, 'trial_used', 'plan'))
    const other = await buyer(test, 0n)
    const here = { ipv4: must(host.ipv4) }
    expect(await tryHost(other, here)).toMatchObject(refused(409, 'trial_used', 'ipv4'))
    await customer.api.call(deleteHost, { params: { hostId: host.id }, query: { name: host.name } })
    expect(await tryHost(customer)).toMatchObject(refused(409, 'trial_used', 'plan'))
    expect(await tryHost(other, here)).toMatchObject(refused(409, 'trial_used', 'ipv4'))
    // The refused trials count for nothing: this customer may still try the edition at another address.
    expect((await tryHost(other)).status).toBe(200)
  })

  it('cannot be carried to an address where another was', async () => {
    const [one, other] = [await trying(), await trying()]
    const move = (hostId: string, ipv4: string) =>
      one.customer.api.call(updateHost, { params: { hostId }, body: { ipv4 } })
    const first = must(one.host.ipv4)
    await other.customer.api.call(deleteHost, {
      params: { hostId: other.hostId },
      query: { name: other.host.name },
    })
    expect(await move(one.hostId, must(other.host.ipv4))).toMatchObject(refused(409, 'trial_used', 'ipv4'))
    expect((await readHost(one.customer, one.hostId)).ipv4).toBe(first)
    const next = anyAddress()
    expect((await move(one.hostId, next)).status).toBe(200)
    expect((await move(one.hostId, first)).status).toBe(200)
    expect(await tryHost(await buyer(test, 0n), { ipv4: next })).toMatchObject(
      refused(409, 'trial_used', 'ipv4'),
    )
  })

  it('is possible once for a whole IPv6 /64: a second trial cannot move to another address of that network', async () => {
    const one = await trying()
    const move = ({ customer, hostId }: typeof one, ipv6: string) =>
      customer.api.call(updateHost, { params: { hostId }, body: { ipv6 } })
    expect((await move(one, '2001:db8:7:1::1')).status).toBe(200)
    await one.customer.api.call(deleteHost, {
      params: { hostId: one.hostId },
      query: { name: one.host.name },
    })
    const other = await trying()
    expect(await move(other, '2001:db8:7:1::2')).toMatchObject(refused(409, 'trial_used', 'ipv6'))
    expect((await move(other, '2001:db8:7:2::2')).status).toBe(200)
  })

  it('needs an address that is proven, an offer, and a server on which nothing runs', async () => {
    const unproven = await signedInCustomer(test, { verified: false })
    expect(await tryHost(unproven)).toMatchObject(refused(409, 'unverified_email'))
    const customer = await buyer(test, 10_000n)
    const never = await tryHost(customer, { plan: 'never-month' })
    expect(never).toMatchObject(refused(409, 'trial_not_offered'))
    expect(never.body).toMatchObject({ plan: { slug: 'never-month', trial_days: 0 } })
    expect(await tryHost(customer, { total: 2368n })).toMatchObject(refused(409, 'price_changed'))
    const { host } = bodyOf(await orderHost(customer, { agreed }), 201)
    expect(await offered(customer, host.id)).toBe(0)
    expect(await tryLicence(customer, host.id)).toMatchObject(refused(409, 'licence_running'))
    const free = await addHost(customer.api, { ipv4: anyAddress() })
    const bare = await addHost(customer.api, {})
    expect(await tryLicence(customer, bare.id)).toMatchObject(refused(400, 'ipv4_required', 'ipv4'))
    await suspend(app, {}, free.id, { reason: 'other', text: '', note: 'a' })
    expect(await tryLicence(customer, free.id)).toMatchObject(refused(409, 'host_suspended'))
    const rows = await asOwner(test, 'select from trials where user_id = $1', [customer.user_id])
    expect(rows).toEqual([])
  })

  it('begins once, of ten at the same time by one customer, and of ten at one address', async () => {
    const customer = await buyer(test, 0n)
    const theirs = await Promise.all(Array.from({ length: 10 }, () => tryHost(customer)))
    expect(theirs.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(theirs.filter(({ status }) => status === 409)).toHaveLength(9)
    const ipv4 = anyAddress()
    const others = await Promise.all(Array.from({ length: 10 }, () => buyer(test, 0n)))
    const there = await Promise.all(others.map((other) => tryHost(other, { ipv4 })))
    expect(there.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of there.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refused(409, 'trial_used', 'ipv4'))
    await inBalance()
  })

  it('asks no payment owner, and cannot be withdrawn from', async () => {
    const [owner, payer] = [await buyer(test, 0n), await buyer(test, 10_000n)]
    const { id } = await addHost(owner.api, { ipv4: anyAddress() })
    await agreement(owner, payer, { host_ids: [id], month_limit: '1' })
    expect((await tryLicence(owner, id)).status).toBe(200)
    expect(bodyOf(await payer.api.call(getFinances, {}), 200).balance.amount).toBe('10000')
    const [tried] = await asOwner(
      test,
      'select o.id, o.payer_id, p.payer_id as period_payer from licence_orders o join paid_periods p on p.order_id = o.id where o.user_id = $1',
      [owner.user_id],
    )
    expect(tried).toMatchObject({ payer_id: null, period_payer: null })
    const { id: order_id } = tried as { id: string }
    const withdrawn = { params: { hostId: id }, body: { order_id } }
    expect(await owner.api.call(sales.withdrawLicence, withdrawn)).toMatchObject(
      refused(409, 'not_withdrawable'),
    )
  })

  it('ends by itself: a mail two days before, one at the end, and no charge', async () => {
    const { customer, hostId } = await trying(10_000n)
    await passTime(test, 11.9)
    await doLicenceJobs(test)
    await passTime(test, 0.2)
    await doLicenceJobs(test)
    const soon = await test.mails.next(customer.email)
    expect(soon.subject).toContain('The free trial of tried ends on')
    await passTime(test, 1)
    await doLicenceJobs(test)
    await passTime(test, 1)
    await doLicenceJobs(test)
    const ended = await test.mails.next(customer.email)
    expect(ended.subject).toBe('The free trial of tried has ended')
    const host = await readHost(customer, hostId)
    expect(host.licence).toMatchObject({ status: 'expired', price: { amount: '0' } })
    expect(await periodsOf(customer, hostId)).toHaveLength(1)
    // The edition cannot be tried again after the trial has ended, but it can be ordered.
    expect(await tryLicence(customer, hostId)).toMatchObject(refused(409, 'trial_used', 'plan'))
    expect((await orderLicence(customer, hostId, { agreed })).status).toBe(201)
  })

  it('goes on where auto-renewal was switched on: announced with its price, and charged a day before the end', async () => {
    const { customer, hostId } = await trying()
    await addMoney(app, customer.user_id, 10_000n)
    await customer.api.call(updateHost, { params: { hostId }, body: { auto_renew: true } })
    await passTime(test, 12.1)
    await doLicenceJobs(test)
    const soon = await test.mails.next(customer.email)
    expect(soon.text).toContain('deduct €23.68 from your balance for the first paid term')
    await passTime(test, 1)
    await doLicenceJobs(test)
    // The app's own worker may have taken the job.
    await expect.poll(async () => (await periodsOf(customer, hostId)).length).toBe(2)
    const [paid, tried] = await periodsOf(customer, hostId)
    expect(paid).toMatchObject({ kind: 'auto_renewal', total: { amount: '2368' } })
    expect(paid?.starts_at).toBe(tried?.ends_at)
    const { licence } = await readHost(customer, hostId)
    expect(licence.trial_until).toBe(tried?.ends_at)
    await inBalance()
  })
})
