import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { summaryColumns, type SummaryRow } from './queries.ts'

/** Returns a customer's invoices, and those of accounts that were merged into theirs, newest first, older than `before` if given, without those past their retention period. */
export async function summariesOf(
  db: App['db'],
  user_id: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<(SummaryRow & { is_merged: boolean })[]> {
  // Each part is read along its index, a page at most.
  const page = (is_merged: RawBuilder<unknown>, ofBuyer: RawBuilder<unknown>) => sql`
    select ${summaryColumns}, ${is_merged} as is_merged from invoices i
    where ${ofBuyer} and i.id < coalesce(${before ?? null}::bigint, 9223372036854775807)
      and exists (select from invoice_snapshots s where s.invoice_id = i.id)
    order by i.id desc limit ${limit}`
  const { rows } = await sql<SummaryRow & { is_merged: boolean }>`
    select * from (${page(sql`false`, sql`i.user_id = ${user_id}`)}) own
    union all select * from (${page(sql`true`, sql`i.user_id in (select r.user_id from invoice_readers r where r.reader_id = ${user_id})`)}) merged
    order by id desc limit ${limit}`.execute(db)
  return rows
}
