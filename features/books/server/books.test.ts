import { afterAll, expect, it } from 'vitest'
import * as contract from '#features/books/contract.ts'
import { bookRefund } from '#features/finance/server/finance.ts'
import { decideVat } from '#features/invoices/server/vat.ts'
import { updateProfile } from '#features/profile/contract.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { COMPANY_TIME_ZONE: 'Europe/Berlin' } })
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

async function memberWith(...roles: Role[]) {
  const member = await signedInCustomer(test)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, member.user_id, roles))
  return member
}
const billing = await memberWith('billing')

const customer = await signedInCustomer(test)
const { user_id } = customer
await customer.api.call(updateProfile, { body: { name: 'Anna', country: 'FR', vat_id: 'FR40303265045' } })
await addMoney(app, user_id, 10_000_00n)

/** A document in the past: issued then, which nothing but a test may say. */
async function backdate(public_id: string, at: string): Promise<void> {
  await superuser.query('begin')
  await superuser.query('set local session_replication_role = replica')
  await superuser.query('update invoices set issued_at = $2 where public_id = $1', [public_id, at])
  await superuser.query('commit')
}

async function soldAt(at: string, country: string, net: bigint, vat_id = '') {
  const vat = decideVat(app.config.company, { country, vat_id }, new Date(at))
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

it('a quarter that runs is not over, and one that is none is refused at the field', async () => {
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
