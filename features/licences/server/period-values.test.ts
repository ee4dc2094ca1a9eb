import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { bookRefund } from '#features/sales/server/book-refund.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { getHost } from '#features/hosts/contract.ts'
import { previewUpgrade, upgradeLicence } from '#features/sales/contract.ts'
import { reissueInvoice } from '#features/invoices/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { buyer, orderHost, orderLicence, passTime, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { move } from '#tests/harness/money.ts'
import { agreed } from '#tests/harness/payers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { transferred } from '#tests/harness/transfers.ts'
import { allEditions, updateEdition } from './edition-queries.ts'
import { recurringRevenue } from './recurring-queries.ts'

const test = await startTestApp()
const { app } = test
await stockShop(test)
await sellLarge(test)

const periodsOf = (hostId: string) =>
  asOwner(
    test,
    `select plan, edition, term, net::text, payer_id, invoice_id, transaction_id, place, term_starts_at = starts_at as begins
     from paid_periods where host_id = (select id from hosts where public_id = $1) order by starts_at`,
    [hostId],
  ) as Promise<Record<string, unknown>[]>

it('L-11 a period is worth what was paid before VAT less refunds, and keeps its value when it moves to an earlier start', async () => {
  const customer = await buyer(test, 100_000n)
  const { host, transaction: paid, invoice } = bodyOf(await orderHost(customer), 201)
  const year = bodyOf(await orderLicence(customer, host.id, { plan: 'standard-year' }), 201)
  const bought = { edition: 'standard', payer_id: customer.user_id, place: 1, begins: true }
  expect(await periodsOf(host.id)).toEqual([
    {
      ...bought,
      plan: 'standard-month',
      term: 'P1M',
      net: '1990',
      invoice_id: invoice.id,
      transaction_id: paid.id,
    },
    {
      ...bought,
      plan: 'standard-year',
      term: 'P1Y',
      net: '19900',
      invoice_id: year.invoice.id,
      transaction_id: year.transaction.id,
    },
  ])
  const refund = (amount?: bigint) =>
    transaction(app, 'system', (tx) =>
      bookRefund(app, tx, { user_id: customer.user_id, transaction_id: paid.id, amount, reason: 'x' }),
    )
  await refund(1190n)
  expect((await periodsOf(host.id)).map(({ net }) => net)).toEqual(['990', '19900'])
  await refund()
  const [gone, moved] = await periodsOf(host.id)
  expect([gone?.['net'], moved?.['net'], moved?.['begins']]).toEqual(['0', '19900', true])
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it('L-10 a key that is added to an edition counts at once, one that shrinks or goes does not', async () => {
  const edition = must((await allEditions(app.db)).find(({ slug }) => slug === 'standard'))
  const allows = (entitlements: Record<string, boolean | number | string>) =>
    transaction(app, 'system', (tx) => updateEdition(tx, { ...edition, entitlements }))
  await allows({ machines: 3, 'backups.daily': true })
  const customer = await buyer(test, 100_000n)
  const { host } = bodyOf(await orderHost(customer), 201)
  const licence = async () =>
    bodyOf(await customer.api.call(getHost, { params: { hostId: host.id } }), 200).licence
  expect(host.licence).toMatchObject({
    edition: 'standard',
    entitlements: { machines: 3, 'backups.daily': true },
  })
  await allows({ machines: 1, support: 'phone' })
  expect((await licence()).entitlements).toEqual({ machines: 3, 'backups.daily': true, support: 'phone' })
  // The next period is bought with what the edition allows now.
  await orderLicence(customer, host.id, { plan: 'standard-quarter' })
  expect((await licence()).next).toMatchObject({ plan: { slug: 'standard-quarter' }, edition: 'standard' })
  await passTime(test, 32)
  expect((await licence()).entitlements).toEqual({ machines: 1, support: 'phone' })
})

it('L-11 a period keeps its value when its invoice is issued anew, and loses what is given back afterwards', async () => {
  const customer = await buyer(test, 100_000n)
  const { host, transaction: paid, invoice } = bodyOf(await orderHost(customer), 201)
  const billing = await signedInStaff(test)
  bodyOf(
    await billing.api.call(reissueInvoice, {
      params: { publicId: invoice.id },
      headers: { 'idempotency-key': randomUUID() },
      body: { buyer: 'profile', vat: 'keep', reason: 'Wrong address' },
    }),
    201,
  )
  const value = async () => must((await periodsOf(host.id))[0])['net']
  expect(await value()).toBe('1990')
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  await transaction(app, 'system', (tx) =>
    bookRefund(app, tx, {
      user_id: customer.user_id,
      transaction_id: paid.id,
      amount: 1190n,
      reason: 'x',
    }),
  )
  expect(await value()).toBe('990')
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  const unpaid = asOwner(test, 'update paid_periods set payer_id = null where user_id = $1', [
    customer.user_id,
  ])
  await expect(unpaid).rejects.toThrow('paid_or_a_trial')
})

/** Recurring revenue now, of everybody and by customer. */
async function recurringNow() {
  const first_month = new Date().toISOString().slice(0, 7)
  const span = { first_month, count: 1, time_zone: 'UTC', currency: 'EUR', most_customers: 50 }
  const rows = await recurringRevenue(app.db, span)
  const of = ({ user_id }: { user_id: string }) =>
    rows.find(({ part, key }) => part === 'customer' && key === user_id)?.mrr ?? 0n
  return { all: must(rows.find(({ part }) => part === 'month')).mrr, of }
}

it('B-18 recurring revenue follows an upgrade, a refund, a term ahead, a transfer and a payer', async () => {
  const before = (await recurringNow()).all
  const customer = await buyer(test, 100_000n)
  const voucher = { code: 'voucher', params: {} } as const
  await move(app, {
    type: 'fill_balance_voucher',
    user_id: customer.user_id,
    amount: 500n,
    description: voucher,
  })
  const { host } = bodyOf(await orderHost(customer), 201)
  expect((await recurringNow()).of(customer), 'vouchers lower nothing').toBe(1990n)
  await orderLicence(customer, host.id, { plan: 'standard-year' })
  expect((await recurringNow()).of(customer), 'paid ahead').toBe(1990n)
  await passTime(test, 10)
  const params = { hostId: host.id }
  const headers = { 'idempotency-key': randomUUID() }
  const wish = { plan: 'large-month', scope: 'present' } as const
  const { pay_now, as_of } = bodyOf(await customer.api.call(previewUpgrade, { params, body: wish }), 200)
  const body = { ...wish, expected_total: pay_now, as_of, begin_now: true }
  const { charges } = bodyOf(await customer.api.call(upgradeLicence, { params, headers, body }), 201)
  const near = async (amount: bigint) => {
    const told = (await recurringNow()).of(customer)
    expect(told - amount >= -1n && told - amount <= 1n, `${told} is near ${amount}`).toBe(true)
  }
  await near(4000n)
  // A refund gives back a share of the rest of the term, which the upgrade has paid for.
  const large = (await periodsOf(host.id)).find(({ plan }) => plan === 'large-month')
  const value = BigInt(String(large?.['net']))
  const paid = must(charges[0])
  await transaction(app, 'system', (tx) =>
    bookRefund(app, tx, { user_id: customer.user_id, transaction_id: paid.id, amount: 595n, reason: 'x' }),
  )
  const left = (4000n * (value - 500n)) / value
  await near(left)
  const heir = await buyer(test, 100_000n)
  await transferred(customer, heir, host.id)
  await near(left)
  expect((await recurringNow()).of(heir), 'has paid nothing yet').toBe(0n)
  const payer = await buyer(test, 100_000n)
  await agreed(heir, payer)
  await orderHost(heir)
  const { all, of } = await recurringNow()
  expect([of(payer), of(heir)]).toEqual([1990n, 0n])
  // The sum is rounded once, and each customer's part by itself.
  const added = all - before - of(customer)
  expect(added >= 1989n && added <= 1991n, `${added} is near 1990`).toBe(true)
})
