import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { getRecurring } from '#features/books/recurring-contract.ts'
import { byCommand } from '#features/customers/server/customers.ts'
import { jobs as customerJobs } from '#features/customers/server/feature.ts'
import * as finance from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { getHost } from '#features/hosts/contract.ts'
import { getInvoice } from '#features/invoices/contract.ts'
import { requestPayout } from '#features/payouts/contract.ts'
import { markPayoutSent, returnPayout } from '#features/payouts/staff-contract.ts'
import * as bulk from '#features/sales/bulk-orders.ts'
import * as contract from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { buyer, doLicenceJobs, orderHost, passTime, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const settings = {
  WITHDRAWAL_URL: 'https://nordic.example/withdrawal',
  STAFF_APPROVALS: 'off',
  RATE_LIMIT_SCALE: '1000',
}
const test = await startTestApp({ settings })
const { app } = test
const owner = await superuserOf(test)
afterAll(() => owner.end())
await stockShop(test)
await sellLarge(test)
const billing = await signedInStaff(test, { roles: ['billing'] })
const TOTAL = 2368n
const headers = () => ({ 'idempotency-key': randomUUID() })

beforeEach(async () => expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] }))
afterAll(async () => expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] }))

const merge = ({ user_id }: Customer, into: Customer) =>
  byCommand.mergeByCommand(app, { user_id, reason: 'one person' }, { into: into.user_id, now: true })
const unmerge = ({ user_id }: Customer) =>
  byCommand.unmergeByCommand(app, { user_id, reason: 'two after all' })
const moveOn = () =>
  must(customerJobs.find(({ name }) => name === 'move_late_balances')).run(app, {}, 'tests')
const balances = (...people: Customer[]) =>
  Promise.all(people.map(({ user_id }) => balanceOf(app, app.db, user_id)))
const tell = async (...event: Parameters<typeof paymentEvent>) =>
  expect(await postPayment(test, paymentEvent(...event))).toBe(200)

async function begun({ api }: Customer, amount: bigint): Promise<string> {
  const body = { amount: String(amount), provider: 'test' } as const
  return bodyOf(await api.call(finance.startTopUp, { headers: headers(), body }), 201).id
}

/** A customer who has paid by card; `top_up` names the payment. */
async function payer(amount: bigint) {
  const customer = await buyer(test, 0n)
  const top_up = await begun(customer, amount)
  await tell(top_up, 'paid')
  return { ...customer, top_up }
}

async function ordered(customer: Customer) {
  const { host, transaction } = bodyOf(await orderHost(customer, { agreed: { begin_now: true } }), 201)
  return { hostId: host.id, paid: transaction.id }
}
const licenceOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(getHost, { params: { hostId } }), 200).licence
const periodsOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(contract.listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const refund = (userId: string, id: string) =>
  billing.api.call(contract.refundTransaction, {
    params: { userId, id },
    headers: headers(),
    body: { reason: 'sorry' },
  })
const debtsOf = async ({ user_id }: Customer) => {
  const { rows } = await owner.query<{ open: boolean }>(
    'select settled_at is null as open from debts where user_id = $1 order by began_at',
    [user_id],
  )
  return rows.map(({ open }) => open)
}

it('L-16 the credit for what a merged account has paid lowers what the account that stays pays for an upgrade', async () => {
  const [from, into] = [await buyer(test, 5_000n), await buyer(test, 0n)]
  const { hostId } = await ordered(from)
  await merge(from, into)
  const call = { params: { hostId }, body: { plan: 'large-month' } }
  const shown = bodyOf(await into.api.call(contract.previewUpgrade, call), 200)
  expect([BigInt(shown.pay_now.amount), shown.credit_apart.amount, shown.periods[0]?.credited_apart]).toEqual(
    [BigInt(shown.charge.amount) - BigInt(shown.credit.amount), '0', false],
  )
  const left = 5_000n - TOTAL
  expect(BigInt(shown.charge.amount)).toBeGreaterThan(left)
  const body = { ...call.body, expected_total: shown.pay_now, as_of: shown.as_of, begin_now: true }
  bodyOf(await into.api.call(contract.upgradeLicence, { ...call, body, headers: headers() }), 201)
  expect(await balances(from, into)).toEqual([0n, left - BigInt(shown.pay_now.amount)])
  expect(BigInt(shown.balance_after.amount)).toBe(left - BigInt(shown.pay_now.amount))
  // The credit went into the server, which goes back with it.
  expect(await unmerge(from)).toEqual({ servers_left: [], balance_left: true })
  const { rows } = await owner.query(
    `select plan from paid_periods where user_id = $1 and ends_at > now() and ends_at > starts_at`,
    [from.user_id],
  )
  expect(rows).toEqual([{ plan: 'large-month' }])
})

it('L-28 the credit of a merged account pays for several upgrades at once, too', async () => {
  const [from, into] = [await buyer(test, 2n * TOTAL), await buyer(test, 5_000n)]
  const hosts = [(await ordered(from)).hostId, (await ordered(from)).hostId]
  await merge(from, into)
  const body = { act: 'upgrade', host_ids: hosts, plan: 'large-month' } as const
  const shown = bodyOf(await into.api.call(bulk.previewBulk, { body }), 200)
  const { charge, credit, pay_now } = must(shown.payments[0])
  const paid = BigInt(pay_now.amount)
  expect([paid, BigInt(credit.amount) > 0n]).toEqual([BigInt(charge.amount) - BigInt(credit.amount), true])
  const order = { ...body, expected_total: shown.expected_total, as_of: shown.as_of, begin_now: true }
  bodyOf(await into.api.call(bulk.orderBulk, { headers: headers(), body: order }), 200)
  expect(await balances(from, into)).toEqual([0n, 5_000n - paid])
})

it('rule 61: a refund of what a merged account has paid ends the paid term, goes to the account that stays, and back when it is undone', async () => {
  const [from, into] = [await buyer(test, 5_000n), await buyer(test, 100n)]
  const { hostId, paid } = await ordered(from)
  await merge(from, into)
  const params = { userId: from.user_id, id: paid }
  const [part] = bodyOf(await billing.api.call(contract.listPaidServers, { params }), 200).items
  expect(part?.next_owner).toBeNull()
  bodyOf(await refund(from.user_id, paid), 201)
  expect((await licenceOf(into, hostId)).status).toBe('expired')
  await moveOn()
  await moveOn()
  expect(await balances(from, into)).toEqual([0n, 5_100n])
  expect(await unmerge(from)).toEqual({ servers_left: [], balance_left: false })
  expect(await balances(from, into)).toEqual([5_000n, 100n])
  await moveOn()
  expect(await balances(from, into)).toEqual([5_000n, 100n])
  await merge(from, into)
  expect(await unmerge(from)).toEqual({ servers_left: [], balance_left: false })
  expect(await balances(from, into)).toEqual([5_000n, 100n])
})

it('rule 61: money that comes late to a merged account goes to the one that stays: a payment, credit, and a payout that came back', async () => {
  const [from, into] = [await payer(5_000n), await buyer(test, 0n)]
  const top_up = await begun(from, 700n)
  await tell(top_up, 'failed')
  const asked = { amount: '2000', iban: 'DE89 3704 0044 0532 0130 00', holder: 'Anna' }
  const { id } = bodyOf(await from.api.call(requestPayout, { headers: headers(), body: asked }), 201)
  const params = { userId: from.user_id, id }
  await expect(merge(from, into)).rejects.toMatchObject({ errors: [{ code: 'merge_payout' }] })
  bodyOf(await billing.api.call(markPayoutSent, { params }), 200)
  await merge(from, into)
  expect(await balances(from, into)).toEqual([0n, 3_000n])

  await tell(top_up, 'paid')
  const returned = { params, headers: headers(), body: { reason: 'No such account' } }
  bodyOf(await billing.api.call(returnPayout, returned), 201)
  const given = {
    params: { userId: from.user_id },
    headers: headers(),
    body: { amount: '300', reason: 'sorry' },
  }
  bodyOf(await billing.api.call(finance.giveCredit, given), 201)
  expect(await balances(from, into)).toEqual([3_000n, 3_000n])
  await moveOn()
  expect(await balances(from, into)).toEqual([0n, 6_000n])
  const shown = { params: { userId: into.user_id }, query: {} }
  // Credit stays a gift, and the rest may be paid out.
  expect(bodyOf(await billing.api.call(finance.customerTransactions, shown), 200)).toMatchObject({
    gift: { amount: '300' },
    payable: { amount: '5700' },
  })
  expect(await unmerge(from)).toEqual({ servers_left: [], balance_left: false })
  expect(await balances(from, into)).toEqual([6_000n, 0n])
})

it('L-22 a chargeback of a payment of a merged account is a debt of the one that stays, and goes back when it is undone', async () => {
  Object.assign(app.config, { suspendAfterDays: 7 })
  const [from, into] = [await payer(TOTAL), await buyer(test, 0n)]
  const { hostId } = await ordered(from)
  await merge(from, into)
  await tell(from.top_up, 'charged_back')
  expect([await debtsOf(from), await balances(from, into)]).toEqual([[], [-TOTAL, 0n]])
  await moveOn()
  expect(await balances(from, into)).toEqual([0n, -TOTAL])
  expect([await debtsOf(from), await debtsOf(into)]).toEqual([[], [true]])
  await doLicenceJobs(test)
  for (let step = 0; step < 3; step += 1) {
    await passTime(test, 2.4)
    await doLicenceJobs(test)
  }
  expect((await licenceOf(into, hostId)).suspended?.reason).toBe('charge_back')

  await tell(from.top_up, 'reinstated')
  await moveOn()
  expect(await balances(from, into)).toEqual([0n, 0n])
  expect(await debtsOf(into)).toEqual([false])
  expect((await licenceOf(into, hostId)).suspended).toBeNull()

  await tell(from.top_up, 'charged_back')
  await moveOn()
  expect(await balances(from, into)).toEqual([0n, -TOTAL])
  expect(await unmerge(from)).toEqual({ servers_left: [], balance_left: false })
  expect(await balances(from, into)).toEqual([-TOTAL, 0n])
  expect([await debtsOf(from), await debtsOf(into)]).toEqual([[true], [false, false]])
})

it('L-22 a chargeback lowers a balance that covers it, and undone, each account has its own money', async () => {
  const [from, into] = [await payer(5_000n), await buyer(test, 4_000n)]
  await ordered(from)
  await merge(from, into)
  await tell(from.top_up, 'charged_back', { amount: '2000', currency: 'EUR' })
  await moveOn()
  expect(await balances(from, into)).toEqual([0n, 9_000n - TOTAL - 2_000n])
  expect([await debtsOf(from), await debtsOf(into)]).toEqual([[], []])
  expect(await unmerge(from)).toEqual({ servers_left: [], balance_left: false })
  expect(await balances(from, into)).toEqual([5_000n - TOTAL - 2_000n, 4_000n])
})

it('L-02 a merge leaves the consumer the right to withdraw, with prices and invoices of the servers that came along', async () => {
  const [from, into] = [await buyer(test, 5_000n), await buyer(test, 0n)]
  const { hostId, paid } = await ordered(from)
  const [before] = await periodsOf(from, hostId)
  await merge(from, into)
  const [period] = await periodsOf(into, hostId)
  expect(period).toEqual(before)
  const pdf = { params: { publicId: must(period?.invoice_id) } }
  bodyOf(await into.api.call(getInvoice, pdf), 200)
  const { order_id } = must(period?.withdrawal)
  const call = { params: { hostId }, body: { order_id } }
  const declared = bodyOf(await into.api.call(contract.withdrawLicence, call), 201)
  expect(bodyOf(await into.api.call(contract.withdrawLicence, call), 201)).toEqual(declared)
  expect((await licenceOf(into, hostId)).status).toBe('expired')
  const waiting = bodyOf(
    await billing.api.call(contract.listWithdrawals, { query: { limit: '100' } }),
    200,
  ).items
  expect(waiting.find((one) => one.order_id === order_id)).toMatchObject({
    customer: { id: from.user_id },
    transaction: { id: paid },
  })
  bodyOf(await refund(from.user_id, paid), 201)
  await moveOn()
  expect(await balances(from, into)).toEqual([0n, 5_000n])
  expect(
    bodyOf(await billing.api.call(contract.listWithdrawals, { query: { limit: '100' } }), 200).items.filter(
      (one) => one.order_id === order_id,
    ),
  ).toEqual([])
})

it('B-18 a merge neither loses a customer nor wins one in the report of recurring revenue', async () => {
  const [from, into] = [await buyer(test, 5_000n), await buyer(test, 5_000n)]
  await ordered(from)
  const report = async () => {
    const { months, best } = bodyOf(await billing.api.call(getRecurring, { query: {} }), 200)
    return { month: must(months.at(-1)), best: best.map(({ customer }) => customer.id) }
  }
  const before = await report()
  expect(before.best).toContain(from.user_id)
  await merge(from, into)
  const after = await report()
  expect(after.month).toEqual(before.month)
  expect(after.best).toContain(into.user_id)
  expect(after.best).not.toContain(from.user_id)
  // A term that the account which stays buys behind the last one of the other goes on with the same stay.
  await ordered(into)
  const { month } = await report()
  expect([month.customers, month.joined, month.lost]).toEqual([
    before.month.customers,
    before.month.joined,
    before.month.lost,
  ])
  await unmerge(from)
  expect((await report()).best).toContain(from.user_id)
})

it('rule 9: a refund, an undoing and money that moves on at once lose and double nothing', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [from, into] = [await buyer(test, 5_000n), await buyer(test, 100n)]
    const { paid } = await ordered(from)
    await merge(from, into)
    // In every second round the money is there before, so that the undoing and what moves it on are surely side by side.
    const early = round % 2 === 0 ? await refund(from.user_id, paid) : undefined
    const [refunded, undone] = await Promise.all([
      early ?? refund(from.user_id, paid),
      unmerge(from),
      moveOn(),
      moveOn(),
    ])
    expect([refunded.status, undone.balance_left]).toEqual([201, false])
    await moveOn()
    expect(await balances(from, into)).toEqual([5_000n, 100n])
  }
})
