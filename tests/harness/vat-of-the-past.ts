import type { Client } from 'pg'

/** Books of the release before VAT had accounts: the VAT of all that is booked stands in revenue, and nothing is split. */
export async function joinVatWithRevenue(superuser: Client): Promise<void> {
  await superuser.query('begin')
  await superuser.query('set local session_replication_role = replica')
  for (const statement of statements) await superuser.query(statement)
  await superuser.query('commit')
}

const statements = [
  'delete from entries e using transactions t where t.id = e.transaction_id and t.splits is not null',
  'delete from transactions where splits is not null',
  `update entries r set amount = r.amount + v.amount from entries v
    where v.transaction_id = r.transaction_id and v.is_vat and not r.is_vat and not r.of_customer`,
  // Where there was VAT and no revenue.
  `update entries v set is_vat = false, account_id = (
      select id from ledger_accounts a where a.kind = 'revenue' and a.currency = v.currency)
    where v.is_vat and not exists (
      select from entries r where r.transaction_id = v.transaction_id and not r.is_vat and not r.of_customer)`,
  'delete from entries where is_vat',
]
