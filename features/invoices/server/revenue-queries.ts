import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { VatKind } from '#features/invoices/rules.ts'

/** The documents of a month by kind of VAT; minor units, less the credit notes. */
export type MonthSum = { month: string; vat_kind: VatKind; documents: number; net: bigint; vat: bigint }

/** So many months from the first one on (`2026-01`), in the operator's time zone; those without documents are left out. */
export async function monthSums(
  db: App['db'],
  span: { first_month: string; count: number; time_zone: string; currency: string },
): Promise<MonthSum[]> {
  const { first_month, count, time_zone, currency } = span
  const startAfter = (months: ReturnType<typeof sql>) =>
    sql`((${`${first_month}-01`}::date + make_interval(months => ${months}))::timestamp at time zone ${time_zone})`
  // Which month a document is of is looked up among their beginnings: the calendar is asked 24 times instead of once a document.
  const { rows } = await sql<MonthSum>`
    with placed as (
      select width_bucket(i.issued_at, (
          select array_agg(${startAfter(sql`n`)} order by n) from generate_series(0, ${count}::int - 1) n)) as place,
        i.vat_kind, count(*)::int as documents,
        sum(case i.kind when 'invoice' then i.net else -i.net end)::bigint as net,
        sum(case i.kind when 'invoice' then i.vat else -i.vat end)::bigint as vat
      from invoices i
      where i.currency = ${currency} and i.issued_at >= ${startAfter(sql`0`)} and i.issued_at < ${startAfter(sql`${count}::int`)}
      group by 1, 2)
    select to_char(${`${first_month}-01`}::date + make_interval(months => place - 1), 'YYYY-MM') as month, vat_kind, documents, net, vat
    from placed order by place, array_position(array['oss', 'standard', 'reverse_charge', 'outside_eu'], vat_kind)`.execute(
    db,
  )
  return rows
}
