import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { VatKind } from '#features/invoices/rules.ts'

/** The documents of a month with one kind of VAT. The sums are in minor units; credit notes are subtracted. */
export type MonthSum = { month: string; vat_kind: VatKind; documents: number; net: bigint; vat: bigint }

/**
 * Returns the sums of `count` months from `first_month` (`2026-01`) on, in the operator's time zone. Months without documents are left out.
 */
export async function monthSums(
  db: App['db'],
  span: { first_month: string; count: number; time_zone: string; currency: string },
): Promise<MonthSum[]> {
  const { first_month, count, time_zone, currency } = span
  const startAfter = (months: ReturnType<typeof sql>) =>
    sql`((${`${first_month}-01`}::date + make_interval(months => ${months}))::timestamp at time zone ${time_zone})`
  // The months are read one by one, each as one range of the index: this is faster than computing the month of every document.
  const { rows } = await sql<MonthSum>`
    with summed as (
      select n, s.* from generate_series(0, ${count}::int - 1) n, lateral (
        select i.vat_kind, i.kind, count(*) as documents, sum(i.net) as net, sum(i.vat) as vat
        from invoices i
        where i.currency = ${currency} and i.issued_at >= ${startAfter(sql`n`)} and i.issued_at < ${startAfter(sql`n + 1`)}
        group by 1, 2) s)
    select to_char(${`${first_month}-01`}::date + make_interval(months => n), 'YYYY-MM') as month, vat_kind,
      sum(documents)::int as documents,
      sum(case kind when 'invoice' then net else -net end)::bigint as net,
      sum(case kind when 'invoice' then vat else -vat end)::bigint as vat
    from summed group by n, vat_kind
    order by n, array_position(array['oss', 'standard', 'reverse_charge', 'outside_eu', 'small_business'], vat_kind)`.execute(
    db,
  )
  return rows
}
