import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { bookRefund, checkLedger, splitPastVat } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { joinVatWithRevenue } from '#tests/harness/vat-of-the-past.ts'
import { invoicePaidBy } from './queries.ts'
import { reissueInvoice } from './reissue.ts'
import { decideVat } from './vat.ts'

// 100,000 steps: LEDGER_STEPS=100000 vitest run --project server features/invoices/server/vat-in-ledger.test.ts
const STEPS = Number(process.env['LEDGER_STEPS'] ?? 120)

const test = await startTestApp()
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

// Currencies without, with two, and with three digits behind the point.
const apps = ['JPY', 'EUR', 'KWD'].map((currency) => ({ ...app, config: { ...app.config, currency } }))
const rates = [
  ['DE', 1900n],
  ['LU', 1700n],
  ['HU', 2700n],
  ['FI', 2550n],
  ['FR', 2000n],
  ['MT', 1800n],
  ['DK', 2500n],
  ['GR', 2400n],
  ['CH', 810n],
  ['LI', 77n],
  ['IT', 1n],
  ['US', 0n],
] as const
const vats = rates.map(([country, rate_bp]) => ({
  ...decideVat(app.config.company, { country: '', vat_id: '' }, new Date()),
  country,
  rate_bp,
}))

const step = fc.record({
  does: fc.constantFrom('sell', 'sell', 'refund', 'refund', 'rest', 'charge back', 'reissue', 'reissue'),
  buyer: fc.constantFrom('DE', 'LU', 'HU', 'US', 'FR'),
  vat: fc.constantFrom('keep' as const, 'decide' as const),
  where: fc.nat(2),
  rate: fc.nat(rates.length - 1),
  nets: fc.array(fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 9_999_99n)), { minLength: 1, maxLength: 3 }),
  which: fc.nat(1000),
  part: fc.nat(100),
})

/** Σ of the accounts for VAT beside Σ of the documents, by currency, country and month of the document. */
const vatByMonth = async () => {
  const { rows } = await superuser.query<{ booked: string | null; documents: string | null }>(`
    with booked as (
      select e.currency, a.name as country, date_trunc('month', d.issued_at) as month, sum(e.amount) as vat
      from entries e join ledger_accounts a on a.id = e.account_id join transactions t on t.id = e.transaction_id
        join ledger_documents d on d.public_id = t.splits_document
          or (t.splits_document is null and d.transaction_id = t.id and d.version = 1)
      where a.kind = 'vat' group by 1, 2, 3),
    documents as (
      select currency, vat_country as country, date_trunc('month', issued_at) as month,
        sum(case kind when 'invoice' then vat else -vat end) as vat
      from invoices group by 1, 2, 3)
    select b.vat::text as booked, d.vat::text as documents from booked b full join documents d using (currency, country, month)
    where coalesce(b.vat, 0) <> coalesce(d.vat, 0)`)
  return rows
}

/** Issues the newest invoice of a sale anew; what it comes to then, undefined where that would be more. */
async function reissuedTotal(
  here: typeof app,
  sale: { user_id: string; transaction_id: string },
  { buyer: country, vat }: { buyer: string; vat: 'keep' | 'decide' },
): Promise<bigint | undefined> {
  const nobody = {
    name: 'A',
    company: '',
    street: 'B',
    apartment: '',
    zip: '1',
    city: 'C',
    state: '',
    vat_id: '',
  }
  const wanted = { buyer: { ...nobody, country }, vat, reason: 'x' }
  try {
    const { invoice } = await transaction(here, 'system', async (tx) => {
      const { public_id } = must(await invoicePaidBy(tx, sale.user_id, sale.transaction_id))
      return reissueInvoice(here, tx, { ...sale, public_id }, wanted, { by: 'command line' })
    })
    return BigInt(invoice.total.amount)
  } catch (error) {
    if (error instanceof HttpError && error.status === 409) return undefined
    throw error
  }
}

it(`B-05 rules 7 and 13: of ${STEPS} random sales, reissues, refunds and charge-backs the sides cancel out, and the accounts for VAT hold what the documents state`, async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  const payments: { id: string; left: bigint }[][] = apps.map(() => [])
  const sales: { id: string; left: bigint }[][] = apps.map(() => [])
  const did: Record<string, number> = {}
  for (const { does, where, rate, nets, which, part, ...changed } of fc.sample(step, STEPS)) {
    const here = must(apps[where])
    const theirs = must(sales[where])
    const vat = must(vats[rate])
    if (does === 'sell') {
      const gross = nets.reduce((sum, net) => sum + net, 0n) * 2n
      const paid = await addMoney(here, user_id, gross)
      payments[where]?.push({ id: paid.transaction_id, left: gross })
      const { transaction_id, total } = await sell(here, { user_id, nets, vat })
      theirs.push({ id: transaction_id, left: total })
    } else if (does === 'charge back') {
      const paid = payments[where]?.[which % Math.max(1, payments[where].length)]
      if (!paid || paid.left < 100n) continue
      const amount = paid.left / 100n
      const description = { code: 'charge_back', params: { provider: 'test' } } as const
      const back = { type: 'charge_back', user_id, amount, description, provider: 'test' } as const
      await move(here, { ...back, reverses: paid.id })
      paid.left -= amount
    } else if (does === 'reissue') {
      const sale = theirs[which % Math.max(1, theirs.length)]
      if (!sale || sale.left === 0n) continue
      const total = await reissuedTotal(here, { user_id, transaction_id: sale.id }, changed)
      sale.left = total ?? sale.left
    } else {
      const sale = theirs[which % Math.max(1, theirs.length)]
      if (!sale || sale.left === 0n) continue
      const share = (sale.left * BigInt(part)) / 100n
      const amount = does === 'rest' || share === 0n ? sale.left : share
      const refund = { user_id, transaction_id: sale.id, amount, reason: 'said so' }
      await transaction(here, 'system', (tx) => bookRefund(here, tx, refund))
      sale.left -= amount
    }
    did[does] = (did[does] ?? 0) + 1
  }
  expect(Object.keys(did).toSorted()).toEqual(['charge back', 'refund', 'reissue', 'rest', 'sell'])
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ unsplit: '0', damages: [] })
  expect(await vatByMonth()).toEqual([])
}, 36_000_000)

const balances = async () =>
  (await superuser.query('select user_id, currency, balance, last_seq from balances order by 1, 2')).rows

it('B-05 rules 7 and 13: splits the VAT of the past once, in any number of tries at once, and moves no balance', async () => {
  const before = await balances()
  const [sold] = (
    await superuser.query<{ count: string }>(
      'select count(*) from ledger_documents where vat <> 0 and version = 1',
    )
  ).rows
  await joinVatWithRevenue(superuser)
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ unsplit: sold?.count, damages: [] })

  await Promise.all([splitPastVat(app, 7), splitPastVat(app, 10), splitPastVat(app, 1000)])
  expect(await splitPastVat(app)).toBe(0)

  expect(await checkLedger(app.ownerUrl)).toMatchObject({ unsplit: '0', damages: [] })
  expect(await vatByMonth()).toEqual([])
  expect(await balances()).toEqual(before)
  const { rows } = await superuser.query<{ count: string }>(
    'select count(*) from transactions t join ledger_documents d on d.public_id = t.splits_document where d.version = 1',
  )
  expect(rows).toEqual([sold])
})

it('rule 13: a refund of a sale of the past moves its own VAT, before and after the split', async () => {
  const { user_id } = await signedInCustomer(test)
  await addMoney(app, user_id, 1000_00n)
  const sale = await sell(app, { user_id, nets: [100_00n], vat: must(vats[0]) })
  await joinVatWithRevenue(superuser)
  const { transaction_id } = sale
  const refund = (amount?: bigint) =>
    transaction(app, 'system', (tx) => bookRefund(app, tx, { user_id, transaction_id, amount, reason: 'x' }))
  await refund(11_90n)
  await splitPastVat(app)
  await refund()
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ unsplit: '0', damages: [] })
  expect(await vatByMonth()).toEqual([])
})
