import { sql } from 'kysely'
import { withinDays } from '#foundation/server/database/times.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'

/**
 * Returns the VAT (minor units) that the ledger holds for the documents issued from `first_day` to the day before `next_day`: booked in
 * the documents' own transactions, or by later splits.
 */
export async function vatBooked(
  db: App['db'],
  span: { first_day: string; next_day: string; time_zone: string; currency: string },
): Promise<bigint> {
  const { currency } = span
  const { rows } = await sql<{ booked: bigint }>`
    with documents as (
      select public_id, transaction_id, version from ledger_documents
      where currency = ${currency} and ${withinDays(sql`issued_at`, span)} and vat <> 0)
    select (coalesce((
        select sum(e.amount) from documents d join entries e on e.transaction_id = d.transaction_id
        where d.version = 1 and not e.of_customer and e.is_vat), 0)
      + coalesce((
        select sum(e.amount) from documents d
          join transactions t on t.splits = d.transaction_id and t.splits_document = d.public_id
          join entries e on e.transaction_id = t.id
        where not e.of_customer and e.is_vat), 0))::bigint as booked`.execute(db)
  return must(rows[0]).booked
}
