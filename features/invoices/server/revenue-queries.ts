import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { InvoiceKind, VatKind } from '#features/invoices/rules.ts'

/** The documents of a month with one kind of VAT. The sums are in minor units; credit notes are subtracted. */
type MonthSum = { month: string; vat_kind: VatKind; documents: number; net: bigint; vat: bigint }

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

/** The part of a document's net that is for time behind the end of a month, in minor units; below zero on a credit note. */
type Deferred = {
  month: string
  number: string
  kind: InvoiceKind
  user_id: string
  /** 2026-11-23, in the operator's time zone, as the days of service. */
  day: string
  first_day: string
  last_day: string
  net: bigint
  deferred: bigint
}

/**
 * Returns the documents issued until the ends of these months whose paid time reaches past them, by day. Gifts are not in it, as nobody paid
 * them. A credit note lowers the time of its invoice from its first day on, as a lower price does; the credit of an upgrade lowers the time
 * that the upgrade has cut off, which begins with the day of the credit.
 */
export async function deferredIncome(
  db: App['db'],
  span: { first_month: string; count: number; time_zone: string; currency: string },
): Promise<Deferred[]> {
  const { first_month, count, time_zone, currency } = span
  const dayOf = (time: ReturnType<typeof sql>) => sql`(${time} at time zone ${time_zone})::date`
  const { rows } = await sql<Deferred>`
    with months as (
      select s as month, (s + interval '1 month')::date - 1 as last, (s + interval '1 month')::timestamp at time zone ${time_zone} as until
      from (select (${`${first_month}-01`}::date + make_interval(months => n))::date as s from generate_series(0, ${count}::int - 1) n) s),
    served as (
      select i.id, l.price, l.description -> 'params' ->> 'host' as host, i.net * l.price::numeric / nullif(i.net + i.allowance, 0) as net,
        ${dayOf(sql`coalesce(l.starts_at, i.issued_at)`)} as first,
        coalesce(greatest(${dayOf(sql`l.ends_at`)} - 1, ${dayOf(sql`l.starts_at`)}), ${dayOf(sql`i.issued_at`)}) as last
      from invoices i join invoice_lines l on l.invoice_id = i.id
      where i.kind = 'invoice' and i.currency = ${currency}
        and i.id in (select invoice_id from invoice_lines where ends_at > (select min(until) from months))),
    spread as (
      select id as document, first, last, net from served
      union all
      select c.id, case when s.notes @> '[{"code": "upgraded"}]' then least(greatest(v.first, ${dayOf(sql`c.issued_at`)}), v.last) else v.first end,
        v.last, -c.net * v.price::numeric / nullif(sum(v.price) over (partition by c.id), 0)
      from invoices c join served v on v.id = c.credit_note_of left join invoice_snapshots s on s.invoice_id = c.id
        left join invoice_lines p on p.invoice_id = c.id and p.place = 1
      where p.description ->> 'code' is distinct from 'refund_of_host' or p.description -> 'params' ->> 'host' = v.host)
    select to_char(m.month, 'YYYY-MM') as month, d.number, d.kind, d.user_id, ${dayOf(sql`d.issued_at`)}::text as day,
      min(s.first)::text as first_day, max(s.last)::text as last_day, round(sum(s.net))::bigint as net,
      round(sum(s.net * (s.last - greatest(m.last, s.first - 1)) / (s.last - s.first + 1)))::bigint as deferred
    from months m join spread s on s.last > m.last join invoices d on d.id = s.document and d.issued_at < m.until
    group by m.month, d.id having round(sum(s.net)) <> 0 order by m.month, d.issued_at, d.id`.execute(db)
  return rows
}
