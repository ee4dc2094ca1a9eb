import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { chargeBackTopUp, confirmTopUp } from '#features/finance/contract.ts'
import { refundTransaction } from '#features/sales/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { reissueInvoice } from '#features/invoices/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { announceTransfer } from '#tests/harness/announced-transfer.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { orderHost, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'

const AT_ONCE = 20
const PAID = 100_00n
const TOTAL = 2368n
const PART = 1_00n

const test = await startTestApp({
  settings: { WITHDRAWAL_URL: 'https://nordic.example/withdrawal', RATE_LIMIT_SCALE: '1000' },
})
const { app } = test
await stockShop(test)
const billing = await signedInStaff(test, { roles: ['billing'] })
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

const key = () => ({ 'idempotency-key': randomUUID() })
const many = <Reply>(act: () => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, () => act()))
const accepted = (replies: readonly { status: number }[]) =>
  replies.filter(({ status }) => status === 201).length

/** A consumer with a confirmed bank transfer, and the licence that they ordered with this money. */
async function ordered() {
  const customer = await signedInCustomer(test)
  const { id: topUp } = await announceTransfer(customer, PAID)
  const params = { userId: customer.user_id, id: topUp }
  bodyOf(await billing.api.call(confirmTopUp, { params, headers: key(), body: { reason: 'Statement' } }), 201)
  const { host, transaction } = bodyOf(await orderHost(customer, { agreed: { begin_now: true } }), 201)
  const { items } = bodyOf(
    await customer.api.call(sales.listPaidPeriods, { params: { hostId: host.id }, query: {} }),
    200,
  )
  const { order_id } = must(must(items[0]).withdrawal)
  return { ...customer, topUp, hostId: host.id, spend: transaction.id, order_id }
}

/** The sums of a customer's invoices less the credit notes, and their VAT as booked in the accounts. */
async function sumsOf(user_id: string) {
  const { rows } = await superuser.query<{ total: string; vat: string; booked: string }>(
    `select sum(case kind when 'invoice' then total else -total end) as total,
       sum(case kind when 'invoice' then vat else -vat end) as vat,
       (select sum(e.amount) from entries e join ledger_accounts a on a.id = e.account_id
        join entries own on own.transaction_id = e.transaction_id and own.user_id = $1
        where a.kind = 'vat') as booked
     from invoices where user_id = $1`,
    [user_id],
  )
  return must(rows[0])
}

it('L-02, B-14 20 refunds, chargebacks, reissues and withdrawals of one order at once: as one after the other would have been', async () => {
  const anna = await ordered()
  const { user_id } = anna
  const refund = (amount?: bigint) => {
    const asked = {
      params: { userId: user_id, id: anna.spend },
      headers: key(),
      body: { reason: 'Outage', ...(amount !== undefined && { amount: String(amount) }) },
    }
    return untilAnswered(() => billing.api.call(refundTransaction, asked))
  }
  const chargeBack = () => {
    const asked = {
      params: { userId: user_id, id: anna.topUp },
      headers: key(),
      body: { amount: String(PART), reason: 'The bank asks it back' },
    }
    return untilAnswered(() => billing.api.call(chargeBackTopUp, asked))
  }
  const reissue = async () => {
    const { rows } = await app.pool.query<{ public_id: string }>(
      `select public_id from invoices where user_id = $1 and kind = 'invoice' order by version desc limit 1`,
      [user_id],
    )
    const asked = {
      params: { publicId: must(rows[0]).public_id },
      headers: key(),
      body: { buyer: 'profile', vat: 'keep', reason: 'Wrong address' },
    } as const
    return untilAnswered(() => billing.api.call(reissueInvoice, asked))
  }
  const withdraw = () =>
    untilAnswered(() =>
      anna.api.call(sales.withdrawLicence, {
        params: { hostId: anna.hostId },
        body: { order_id: anna.order_id },
      }),
    )
  const [refunds, chargeBacks, reissues, withdrawals] = await Promise.all([
    many(() => refund(PART)),
    many(chargeBack),
    many(reissue),
    many(withdraw),
  ])
  const statuses = [refunds, chargeBacks, reissues, withdrawals].flat().map(({ status }) => status)
  expect(new Set(statuses.filter((status) => status !== 201))).toEqual(new Set([409]))

  // Refunds of a part succeed as long as money is left, and no reissue, chargeback or withdrawal takes any of that money.
  expect(accepted(refunds)).toBe(AT_ONCE)
  expect(accepted(chargeBacks)).toBe(AT_ONCE)
  expect(accepted(reissues)).toBeGreaterThan(0)
  const declared = new Set(withdrawals.map(({ status, body }) => JSON.stringify([status, body])))
  expect(declared.size, 'declared once').toBe(1)
  const { proposed_refund } = bodyOf(must(withdrawals[0]), 201)
  const parts = BigInt(AT_ONCE) * PART
  expect(BigInt(proposed_refund.amount)).toBeGreaterThanOrEqual(TOTAL - parts - 1n)
  expect(BigInt(proposed_refund.amount)).toBeLessThanOrEqual(TOTAL)

  expect(await balanceOf(app, app.db, user_id)).toBe(PAID - TOTAL - parts + parts)
  const { total, vat, booked } = await sumsOf(user_id)
  expect([total, booked]).toEqual([String(TOTAL - parts), vat])
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })
  const { rows } = await superuser.query(
    `select (select count(*)::int from withdrawals where user_id = $1) as withdrawals,
       (select count(*)::int from mails where user_id = $1 and letter = 'withdrawal_received') as mails,
       (select count(*)::int from invoices where user_id = $1 and kind = 'credit_note') as credit_notes`,
    [user_id],
  )
  expect(rows).toEqual([{ withdrawals: 1, mails: 1, credit_notes: AT_ONCE + accepted(reissues) }])

  const { rows: waited } = await superuser.query(
    'select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()',
  )
  expect(waited, 'rule 9: locks in one order').toEqual([{ deadlocks: 0 }])

  // Billing then refunds the rest; a further refund is refused.
  expect((await refund()).status).toBe(201)
  expect((await refund()).status).toBe(409)
  expect(await balanceOf(app, app.db, user_id)).toBe(PAID - parts)
  expect(await sumsOf(user_id)).toMatchObject({ total: '0', vat: '0', booked: '0' })
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })
})
