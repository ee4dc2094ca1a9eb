import type { Client } from 'pg'

/** Rewrites the books as an earlier release booked them, in which VAT had no accounts: all VAT is in revenue, and nothing is split. */
export async function joinVatWithRevenue(superuser: Client): Promise<void> {
  await superuser.query('begin')
  await superuser.query('set local session_replication_role = replica')
  for (const statement of statements) await superuser.query(statement)
  await superuser.query('commit')
}

const isReissue = (transaction: string) =>
  `exists (select from transactions s where s.id = ${transaction} and s.splits is not null)`

const statements = [
  // The transactions that moved the VAT of a reissue stay: there were no reissues before VAT had accounts.
  `delete from entries e using transactions t, ledger_documents d
    where t.id = e.transaction_id and d.public_id = t.splits_document and d.version = 1`,
  `delete from transactions t using ledger_documents d where d.public_id = t.splits_document and d.version = 1`,
  `update entries r set amount = r.amount + v.amount from entries v
    where v.transaction_id = r.transaction_id and v.is_vat and not r.is_vat and not r.is_gift and not r.of_customer and not ${isReissue('v.transaction_id')}`,
  // The entries of VAT become revenue where there was VAT and no revenue.
  `update entries v set is_vat = false, account_id = (
      select id from ledger_accounts a where a.kind = 'revenue' and a.currency = v.currency)
    where v.is_vat and not exists (
      select from entries r where r.transaction_id = v.transaction_id and not r.is_vat and not r.is_gift and not r.of_customer)`,
  `delete from entries v where is_vat and not ${isReissue('v.transaction_id')}`,
]
