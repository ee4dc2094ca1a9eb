import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'

/** What the accounts for VAT hold of the documents issued from `first_day` to the day before `next_day`: with their own transactions, and by splits. */
export async function vatBooked(
  db: App['db'],
  span: { first_day: string; next_day: string; time_zone: string; currency: string },
): Promise<bigint> {
  const { first_day, next_day, time_zone, currency } = span
  const { rows } = await sql<{ booked: bigint }>`
    with documents as (
      select public_id, transaction_id from ledger_documents
      where currency = ${currency} and issued_at < ${next_day}::date::timestamp at time zone ${time_zone}
        and issued_at >= ${first_day}::date::timestamp at time zone ${time_zone} and vat <> 0)
    select (coalesce((
        select sum(e.amount) from documents d join entries e on e.transaction_id = d.transaction_id
        where not e.of_customer and e.is_vat), 0)
      + coalesce((
        select sum(e.amount) from documents d
          join transactions t on t.splits = d.transaction_id and t.splits_document = d.public_id
          join entries e on e.transaction_id = t.id
        where not e.of_customer and e.is_vat), 0))::bigint as booked`.execute(db)
  return must(rows[0]).booked
}
