import { sql } from 'kysely'
import { mergedAccounts } from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'

/** A month of the report, or a plan or a customer at its end. Customers are those who pay; `mrr` is in minor units. */
export type RecurringRow = {
  part: 'month' | 'plan' | 'customer'
  /** The month (2026-10), the plan, or the account that pays. */
  key: string
  licences: number
  mrr: bigint
  customers: number
  joined: number
  returned: number
  lost: number
  is_final: boolean
}

type Span = {
  first_month: string
  count: number
  time_zone: string
  currency: string
  most_customers: number
}

/** A customer who buys again within this time has not been lost. */
const BACK_WITHIN = sql`interval '168 hours'`

/**
 * Recurring revenue at the end of each month, or now in the present one, in the operator's time zone; behind the months the plans and the
 * best customers at the end of the last. A period counts with the price of its whole term before VAT, less refunds, by month: one that an
 * upgrade has cut, or has begun within a term, was sold by the share of that term. Trials and what was wholly given back do not count. An
 * account that was merged is one customer with the one that stays.
 */
export async function recurringRevenue(db: App['db'], span: Span): Promise<RecurringRow[]> {
  const { first_month, count, time_zone, currency, most_customers } = span
  const first = sql`${`${first_month}-01`}::date`
  const { rows } = await sql<RecurringRow>`
    with bounds as materialized (
      select array_agg(least((${first} + make_interval(months => n))::timestamp at time zone ${time_zone}, now()) order by n) as at
      from generate_series(0, ${count}::int) n),
    sold as materialized (
      select coalesce(m.reader_id, p.payer_id) as payer_id, p.plan, p.starts_at, p.ends_at,
        case when p.ended is null and p.starts_at = p.term_starts_at then p.net::numeric
          else p.net * extract(epoch from term.ends_at - p.term_starts_at) / extract(epoch from part.ends_at - p.starts_at) end
          / case p.term when 'P1M' then 1 when 'P3M' then 3 else 12 end as mrr
      from paid_periods p join licence_orders o on o.id = p.order_id left join ${mergedAccounts} m on m.user_id = p.payer_id
        cross join lateral (select case when p.ended is null then p.ends_at else
          greatest((p.term_starts_at at time zone 'UTC' + p.term::interval) at time zone 'UTC', p.ends_at) end as ends_at) term
        cross join lateral (select case when p.ended = 'upgraded' then p.ends_at else term.ends_at end as ends_at) part
      where p.payer_id is not null and p.net > 0 and p.ends_at > p.starts_at and o.currency = ${currency}),
    running as materialized (
      select place, s.payer_id, s.plan, s.mrr from sold s cross join bounds b
        cross join lateral generate_series(greatest(width_bucket(s.starts_at, b.at) + 1, 2), width_bucket(s.ends_at, b.at)) as place),
    -- A stay is the time in which a customer has gone on buying.
    turns as (
      select payer_id, starts_at, ends_at, coalesce(starts_at > ${BACK_WITHIN} + max(ends_at) over (partition by payer_id
        order by starts_at, ends_at rows between unbounded preceding and 1 preceding), true) as begins from sold),
    numbered as (select *, count(*) filter (where begins) over (partition by payer_id order by starts_at, ends_at) as turn from turns),
    stays as materialized (
      select width_bucket(min(starts_at), b.at) + 1 as came, turn = 1 as is_first,
        case when max(ends_at) <= now() - ${BACK_WITHIN} then width_bucket(max(ends_at), b.at) + 1 end as went
      from numbered cross join bounds b group by payer_id, turn, b.at),
    last as (select * from running where place = ${count}::int + 1),
    running_in as materialized (select place, count(*)::int as licences, round(sum(mrr))::bigint as mrr from running group by place),
    moves as (
      select place, sum(came)::int as came, sum(joined)::int as joined, sum(lost)::int as lost from (
        select came as place, 1 as came, is_first::int as joined, 0 as lost from stays
        union all select went, 0, 0, 1 from stays where went is not null) moved group by place),
    counted as (
      select place, coalesce(joined, 0) as joined, coalesce(came - joined, 0) as returned, coalesce(lost, 0) as lost,
        sum(coalesce(came - lost, 0)) over (order by place)::int as customers
      from generate_series(1, ${count}::int + 1) as place left join moves using (place))
    select * from (select 'month' as part, to_char(${first} + make_interval(months => c.place - 2), 'YYYY-MM') as key,
      coalesce(r.licences, 0) as licences, coalesce(r.mrr, 0) as mrr, c.customers, c.joined, c.returned, c.lost,
      b.at[c.place] + ${BACK_WITHIN} <= now() as is_final
    from counted c cross join bounds b left join running_in r using (place) where c.place > 1
    union all
    select 'plan', plan, count(*)::int, round(sum(mrr))::bigint, count(distinct payer_id)::int, 0, 0, 0, true from last group by plan
    union all
    select * from (
      select 'customer', payer_id::text, count(*)::int, round(sum(mrr))::bigint, 1, 0, 0, 0, true from last group by payer_id
      order by 4 desc, 2 limit ${most_customers}) best) told
    order by case when part = 'month' then key end, mrr desc, key`.execute(db)
  return rows
}
