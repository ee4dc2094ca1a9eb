import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import * as contract from '#features/books/contract.ts'
import { bookRefund } from '#features/sales/server/book-refund.ts'
import { reissueInvoice } from '#features/invoices/contract.ts'
import { decideVat } from '#features/invoices/server/vat.ts'
import { updateProfile } from '#features/profile/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInStaff, signedInCustomer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { believePlace, confirmedAt } from '#tests/harness/vat-proof.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { COMPANY_TIME_ZONE: 'Europe/Berlin' } })
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })
const billing = await memberWith('billing')

const customer = await signedInCustomer(test)
const { user_id } = customer
await customer.api.call(updateProfile, { body: { name: 'Anna', country: 'FR', vat_id: 'FR40303265045' } })
await addMoney(app, user_id, 10_000_00n)

/** Moves the issue of a document to this time in the past, which the application itself cannot do. */
async function backdate(public_id: string, at: string): Promise<void> {
  await superuser.query('begin')
  await superuser.query('set local session_replication_role = replica')
  await superuser.query('update invoices set issued_at = $2 where public_id = $1', [public_id, at])
  await superuser.query('commit')
}

async function soldAt(at: string, country: string, net: bigint, vat_id = '') {
  const vat = decideVat(app.config.company, { country, vat_id }, new Date(at), confirmedAt(new Date(at)))
  const sale = await sell(app, { user_id, nets: [net], vat })
  await backdate(sale.public_id, at)
  return sale
}

async function refundedAt(at: string, transaction_id: string, amount?: bigint): Promise<void> {
  const { transaction_id: back } = await transaction(app, 'system', (tx) =>
    bookRefund(app, tx, { user_id, transaction_id, amount, reason: 'said so' }),
  )
  const { rows } = await superuser.query<{ public_id: string }>(
    'select public_id from invoices where transaction_id = $1',
    [back],
  )
  await backdate(rows[0]?.public_id ?? '', at)
}

// The last quarter of 2025 in Berlin begins and ends at 22:00 and 23:00 UTC.
const early = await soldAt('2025-09-30T21:59:59Z', 'FR', 100_00n)
await soldAt('2025-09-30T22:00:00Z', 'FR', 200_00n)
const french = await soldAt('2025-11-11T11:00:00Z', 'FR', 300_00n)
await soldAt('2025-12-31T22:59:59Z', 'DE', 50_00n)
await soldAt('2025-12-31T23:00:00Z', 'DE', 70_00n)
await soldAt('2025-10-10T10:00:00Z', 'FR', 40_00n, 'FR40303265045')
await soldAt('2025-10-10T10:00:00Z', 'US', 30_00n)
await refundedAt('2025-12-01T10:00:00Z', french.transaction_id, 120_00n)
await refundedAt('2025-12-02T10:00:00Z', early.transaction_id)

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const of = (quarter: string, by = billing) => by.api.call(contract.getVatOfQuarter, { query: { quarter } })

it('B-06 sums the documents of a quarter in the operator’s time zone, with corrections of earlier ones apart, and the ledger agrees', async () => {
  const { sales, corrections, ...rest } = bodyOf(await of('2025-Q4'), 200)
  const row = { country: 'FR', vat_rate: '20', vat_id: '', corrected_quarter: null, documents: 1 }
  expect(sales).toEqual([
    { ...row, vat_kind: 'oss', documents: 3, net: eur('40000'), vat: eur('8000') },
    { ...row, vat_kind: 'standard', country: 'DE', vat_rate: '19', net: eur('5000'), vat: eur('950') },
    {
      ...row,
      vat_kind: 'reverse_charge',
      vat_rate: '0',
      vat_id: 'FR40303265045',
      net: eur('4000'),
      vat: eur('0'),
    },
    { ...row, vat_kind: 'outside_eu', country: 'US', vat_rate: '0', net: eur('3000'), vat: eur('0') },
  ])
  expect(corrections).toEqual([
    { ...row, vat_kind: 'oss', corrected_quarter: '2025-Q3', net: eur('-10000'), vat: eur('-2000') },
  ])
  expect(rest).toEqual({
    quarter: '2025-Q4',
    first_day: '2025-10-01',
    last_day: '2025-12-31',
    is_over: true,
    vat: eur('6950'),
    booked: eur('6950'),
  })
})

it('shows where the ledger holds something else than the documents state', async () => {
  await superuser.query('begin')
  await superuser.query('set local session_replication_role = replica')
  await superuser.query(`update entries set amount = amount + 1 where is_vat and transaction_id = $1`, [
    french.transaction_id,
  ])
  await superuser.query('commit')
  expect(bodyOf(await of('2025-Q4'), 200)).toMatchObject({ vat: eur('6950'), booked: eur('6951') })
})

it('a quarter that has not ended is reported as not over, and an invalid quarter is refused at its field', async () => {
  const year = new Date().getUTCFullYear()
  expect(bodyOf(await of(`${year + 1}-Q1`), 200)).toMatchObject({ is_over: false, sales: [] })
  for (const quarter of ['2026-Q5', '2026-Q0', '2026', '26-Q1', "2026-Q1'"])
    expect((await of(quarter)).body, quarter).toMatchObject(refusal(400, 'invalid', 'quarter'))
})

it('is a file that spreadsheets open, in the language of the account; support may not read it', async () => {
  const answer = await billing.api.get<string>('/api/staff/books/vat.csv', { query: { quarter: '2025-Q4' } })
  expect(answer.status).toBe(200)
  expect(answer.body.split('\r\n')).toEqual([
    'Quarter of the invoices,Kind,Country,VAT rate,VAT ID,Documents,Net,VAT,Currency',
    '2025-Q4,One-stop shop (OSS),FR,20,,3,400.00,80.00,EUR',
    '2025-Q4,Domestic,DE,19,,1,50.00,9.50,EUR',
    '2025-Q4,Reverse charge,FR,0,FR40303265045,1,40.00,0.00,EUR',
    '2025-Q4,Outside the EU,US,0,,1,30.00,0.00,EUR',
    '2025-Q3,One-stop shop (OSS),FR,20,,1,-100.00,-20.00,EUR',
    '',
  ])
  const support = await memberWith('support')
  expect((await of('2025-Q4', support)).status).toBe(403)
})

it('B-13 sums the documents of each month of the operator by kind of VAT, less the credit notes, and says what customers have', async () => {
  const query = { from: '2025-09', to: '2025-12' }
  const { rows } = bodyOf(await billing.api.call(contract.getRevenue, { query }), 200)
  const row = { documents: 1, vat_kind: 'oss' }
  expect(rows).toEqual([
    { ...row, month: '2025-09', net: eur('10000'), vat: eur('2000') },
    { ...row, month: '2025-10', net: eur('20000'), vat: eur('4000') },
    { ...row, month: '2025-10', vat_kind: 'reverse_charge', net: eur('4000'), vat: eur('0') },
    { ...row, month: '2025-10', vat_kind: 'outside_eu', net: eur('3000'), vat: eur('0') },
    { ...row, month: '2025-11', net: eur('30000'), vat: eur('6000') },
    { ...row, month: '2025-12', documents: 2, net: eur('-20000'), vat: eur('-4000') },
    { ...row, month: '2025-12', vat_kind: 'standard', net: eur('5000'), vat: eur('950') },
  ])
  const liability = bodyOf(await billing.api.call(contract.getLiability, { query: {} }), 200)
  // The balances are 10,000.00 less all that was bought and not refunded.
  expect(liability).toMatchObject({ owed: eur(String(1_000_000 - 69_280)), debts: eur('0') })
  const before = await billing.api.call(contract.getLiability, { query: { at: '2025-01-01T00:00Z' } })
  expect(bodyOf(before, 200)).toMatchObject({ at: '2025-01-01T00:00:00.000Z', owed: eur('0'), months: [] })
})

const invoices = (query: InputOf<typeof contract.listAllInvoices>['query'], by = billing) =>
  by.api.call(contract.listAllInvoices, { query })
const totals = (query: InputOf<typeof contract.sumInvoices>['query']) =>
  billing.api.call(contract.sumInvoices, { query })

it('B-07 lists the invoices of all customers, newest first, by any filter, page by page', async () => {
  const all = bodyOf(await invoices({ limit: '100' }), 200).items
  expect(all.map(({ issued_at }) => issued_at.slice(0, 16))).toEqual([
    '2025-12-31T23:00',
    '2025-12-31T22:59',
    '2025-12-02T10:00',
    '2025-12-01T10:00',
    '2025-11-11T11:00',
    '2025-10-10T10:00',
    '2025-10-10T10:00',
    '2025-09-30T22:00',
    '2025-09-30T21:59',
  ])
  expect(all[4]).toMatchObject({
    id: french.public_id,
    kind: 'invoice',
    status: 'paid',
    customer_id: user_id,
    buyer: 'Anna',
    vat_kind: 'oss',
    country: 'FR',
    vat_rate: '20',
    total: eur('36000'),
  })
  const numbers = async (query: Parameters<typeof invoices>[0]) =>
    bodyOf(await invoices(query), 200).items.map(({ number }) =>
      all.findIndex((one) => one.number === number),
    )
  expect(await numbers({ kind: 'credit_note' })).toEqual([2, 3])
  expect(await numbers({ country: 'US' })).toHaveLength(1)
  expect(await numbers({ vat_kind: 'reverse_charge' })).toHaveLength(1)
  // The first and the last day both count, in Berlin.
  expect(await numbers({ from: '2025-10-01', to: '2025-12-31' })).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(await numbers({ q: ` ${all[4]?.number.toLowerCase()} ` })).toEqual([4])
  expect(await numbers({ q: customer.email, kind: 'invoice' })).toHaveLength(7)
  expect(await numbers({ q: 'nobody is called so' })).toEqual([])
  const first = bodyOf(await invoices({ limit: '6' }), 200)
  const second = bodyOf(await invoices({ limit: '6', cursor: first.next_cursor ?? '' }), 200)
  expect([...first.items, ...second.items]).toEqual(all)
  expect(second.next_cursor).toBeNull()
  const oldest = { limit: '6', sort: 'oldest' } as const
  const one = bodyOf(await invoices(oldest), 200)
  const other = bodyOf(await invoices({ ...oldest, cursor: one.next_cursor ?? '' }), 200)
  expect([...one.items, ...other.items]).toEqual(all.toReversed())
  expect((await invoices({ limit: '6', cursor: one.next_cursor ?? '' })).status).toBe(400)
})

it('B-07 B-11 lists documents and transactions by amount, in which credit notes are negative, page by page', async () => {
  const shown = 'case kind when $$credit_note$$ then -total else total end'
  const documents = await idsOf(
    `select public_id as id from invoices order by ${shown} desc, invoices.id desc`,
  )
  const highest = { limit: '6', sort: 'highest' } as const
  const first = bodyOf(await invoices(highest), 200)
  const second = bodyOf(await invoices({ ...highest, cursor: first.next_cursor ?? '' }), 200)
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(documents)
  const rising = bodyOf(await invoices({ limit: '100', sort: 'lowest' }), 200).items
  expect(rising.map(({ id }) => id)).toEqual(documents.toReversed())

  const moved = await idsOf(
    'select transaction_id as id from entries where of_customer order by amount desc, transaction_id desc',
  )
  const list = async (query: InputOf<typeof contract.listAllTransactions>['query']) =>
    bodyOf(await billing.api.call(contract.listAllTransactions, { query }), 200)
  const few = await list(highest)
  const rest = await list({ ...highest, limit: '100', cursor: few.next_cursor ?? '' })
  expect([...few.items, ...rest.items].map(({ id }) => id)).toEqual(moved)
  expect((await list({ limit: '100', sort: 'lowest' })).items.map(({ id }) => id)).toEqual(moved.toReversed())
})

async function idsOf(text: string): Promise<string[]> {
  const { rows } = await superuser.query<{ id: string }>(text)
  return rows.map(({ id }) => id)
}

it('B-07 sums what the list shows, less the credit notes, of 24 months at most', async () => {
  const span = { from: '2025-10-01', to: '2025-12-31' }
  expect(bodyOf(await totals(span), 200)).toEqual({
    first_day: span.from,
    last_day: span.to,
    count: 7,
    net: eur('42000'),
    vat: eur('6950'),
    total: eur('48950'),
  })
  expect(bodyOf(await totals({ ...span, kind: 'credit_note' }), 200)).toMatchObject({ total: eur('-24000') })
  expect(bodyOf(await totals({ to: '2026-02-28' }), 200)).toMatchObject({ first_day: '2024-03-01', count: 9 })
  expect(bodyOf(await totals({ ...span, q: 'nobody is called so' }), 200)).toMatchObject({ count: 0 })
  expect((await totals({ from: '2024-01-01', to: '2025-12-31' })).status).toBe(200)
  const refused = [
    [{ from: '2023-12-31', to: '2025-12-31' }, 'period_too_long', 'from'],
    [{ from: '2026-01-01', to: '2025-12-31' }, 'invalid', 'to'],
    [{ from: '2025-02-29' }, 'invalid', 'from'],
    [{ country: 'fr' }, 'invalid', 'country'],
  ] as const
  for (const [query, code, param] of refused)
    expect((await totals(query)).body, JSON.stringify(query)).toMatchObject(refusal(400, code, param))
})

it('shows an invoice with the credit notes of its sale, and what was paid; to support, too', async () => {
  const support = await memberWith('support')
  const get = (publicId: string, by = support) =>
    by.api.call(contract.getAnyInvoice, { params: { publicId } })
  const { invoice, customer: buyer, chain } = bodyOf(await get(french.public_id), 200)
  expect(invoice).toMatchObject({ id: french.public_id, total: eur('36000') })
  expect(buyer).toEqual({ id: user_id, name: 'Anna' })
  const { transaction_id: id } = french
  expect(chain).toMatchObject([
    { id: french.public_id, kind: 'invoice', transaction: { id, type: 'spend', amount: eur('-36000') } },
    {
      kind: 'credit_note',
      total: eur('12000'),
      transaction: { type: 'return_on_balance', amount: eur('12000') },
    },
  ])
  const note = chain[1]?.id ?? ''
  expect(bodyOf(await get(note), 200).chain).toEqual(chain)
  expect((await get('A'.repeat(22))).status).toBe(404)
  expect((await get(note, customer)).status).toBe(403)
  const xml = await support.api.get<string>(`/api/staff/invoices/${note}/xrechnung.xml`)
  expect(xml.body).toMatchObject(refusal(409, 'xrechnung_incomplete'))
})

it('B-14 a reissued invoice counts as a correction of the quarter of its original sale, not as a new sale', async () => {
  const sale = await soldAt('2024-05-01T10:00:00Z', 'DE', 100_00n)
  await believePlace(test, user_id, 'LU')
  const buyer = {
    name: 'Anna',
    company: '',
    street: 'Am Markt 1',
    apartment: '',
    zip: '1',
    city: 'Wiltz',
    state: '',
  }
  const answer = await billing.api.call(reissueInvoice, {
    params: { publicId: sale.public_id },
    headers: { 'idempotency-key': randomUUID() },
    body: { buyer: { ...buyer, country: 'LU', vat_id: '' }, vat: 'decide', reason: 'moved' },
  })
  const { invoice, credit_note, transaction: back } = bodyOf(answer, 201)
  for (const { id } of [invoice, credit_note]) await backdate(id, '2024-08-01T10:00:00Z')
  const row = { vat_id: '', corrected_quarter: '2024-Q2', documents: 1 }
  expect(bodyOf(await of('2024-Q3'), 200)).toMatchObject({
    sales: [],
    corrections: [
      { ...row, vat_kind: 'oss', country: 'LU', vat_rate: '17', net: eur('10000'), vat: eur('1700') },
      { ...row, vat_kind: 'standard', country: 'DE', vat_rate: '19', net: eur('-10000'), vat: eur('-1900') },
    ],
    vat: eur('-200'),
    booked: eur('-200'),
  })
  expect(back?.amount).toEqual(eur('200'))
  expect(bodyOf(await of('2024-Q2'), 200)).toMatchObject({
    vat: eur('1900'),
    booked: eur('1900'),
    corrections: [],
  })
  // A refund of the new invoice corrects the quarter of the original sale, too.
  await refundedAt('2024-11-01T10:00:00Z', sale.transaction_id)
  expect(bodyOf(await of('2024-Q4'), 200)).toMatchObject({
    corrections: [{ ...row, country: 'LU', net: eur('-10000'), vat: eur('-1700') }],
    booked: eur('-1700'),
  })
})
