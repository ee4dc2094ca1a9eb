import { sql, type RawBuilder } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { lastTry } from '#features/licences/rules.ts'

type Db = App['db']

/** The renewals that are charged on a day, in minor units with VAT: those that the balance covers one after another, and the others. */
type DueDay = {
  day: string
  covered: number
  covered_total: bigint
  uncovered: number
  uncovered_total: bigint
}

/** The renewals of the next days, in the operator's time zone; late renewals count today. */
export async function dueRenewals(
  db: Db,
  { days, time_zone }: { days: number; time_zone: string },
): Promise<DueDay[]> {
  const { rows } = await sql<DueDay>`
    with due as (
      select user_id, host_id, greatest(charged_at, now()) as at, ends_at, balance, net + (net * vat_rate_bp + 5000) / 10000 as total
      from due_renewals
      where ends_at > now() - make_interval(days => ${lastTry.days}) and ends_at < now() + make_interval(days => ${days}::int + 1)),
    judged as (
      select at, total, sum(total) over (partition by user_id order by ends_at, host_id) <= balance as is_covered from due)
    select to_char(at at time zone ${time_zone}, 'YYYY-MM-DD') as day,
      count(*) filter (where is_covered)::int as covered, coalesce(sum(total) filter (where is_covered), 0)::bigint as covered_total,
      count(*) filter (where not is_covered)::int as uncovered, coalesce(sum(total) filter (where not is_covered), 0)::bigint as uncovered_total
    from judged group by 1 order by 1`.execute(db)
  return rows
}

/** The licences that ran when a month began, and the licences that ended in it and were not renewed within `RENEWED_WITHIN`. */
type MonthChurn = { month: string; running: number; ended: number; is_final: boolean }

/** A licence has ended if no period follows within this time, so the ends of a month are final only this long after it. */
const RENEWED_WITHIN = sql`interval '168 hours'`

type Span = { first_month: string; count: number; time_zone: string }

/**
 * The figures of `count` months from the first one on, in the operator's time zone. One pass over all paid periods, by two connections that
 * take half of the hosts each: following each host through its periods takes a third of a second for 500,000 periods.
 */
export async function monthlyChurn(db: Db, span: Span): Promise<MonthChurn[]> {
  const middle = await middleHost(db)
  const [lower, upper] = await Promise.all([
    churnOf(db, span, sql`p.host_id <= ${middle}`),
    churnOf(db, span, sql`p.host_id > ${middle}`),
  ])
  return lower.map((month, place) => {
    const other = must(upper[place])
    return { ...month, running: month.running + other.running, ended: month.ended + other.ended }
  })
}

/** Returns a row id that splits the hosts into two halves of about the same size. */
async function middleHost(db: Db): Promise<string> {
  const { rows } = await sql<{ middle: string }>`
    select coalesce(max(host_id) / 2, 0)::text as middle from paid_periods`.execute(db)
  return must(rows[0]).middle
}

async function churnOf(
  db: Db,
  { first_month, count, time_zone }: Span,
  ofHosts: RawBuilder<unknown>,
): Promise<MonthChurn[]> {
  const { rows } = await sql<MonthChurn>`
    with months as materialized (
      select n as place, (${`${first_month}-01`}::date + make_interval(months => n - 1))::timestamp as month,
        (${`${first_month}-01`}::date + make_interval(months => n - 1))::timestamp at time zone ${time_zone} as at
      from generate_series(1, ${count}::int + 1) n),
    -- Each bound twice, a microsecond apart: one look-up finds the periods before a bound and those at it.
    bounds as materialized (
      select array_agg(at order by at) as twice, now() - ${RENEWED_WITHIN} as known_until
      from (select at from months union all select at + interval '1 microsecond' from months) as at),
    periods as (
      select starts_at, ends_at, lead(starts_at) over (partition by host_id order by starts_at) as goes_on_at
      from paid_periods p where ends_at > starts_at and ${ofHosts}
        -- A person who tries is no customer yet, and one who does not go on is not lost.
        and not exists (select from trials t where t.host_id = p.host_id and t.starts_at = p.starts_at)),
    -- A period runs at the bounds behind before_start up to before_end.
    placed as (
      select width_bucket(starts_at, (select twice from bounds)) / 2 as before_start,
        width_bucket(ends_at, (select twice from bounds)) as end_place,
        ends_at <= (select known_until from bounds)
          and (goes_on_at is null or goes_on_at > ends_at + ${RENEWED_WITHIN}) as is_end,
        count(*) as periods
      from periods group by 1, 2, 3)
    select to_char(m.month, 'YYYY-MM') as month,
      coalesce((select sum(periods) from placed where before_start < m.place and end_place / 2 >= m.place), 0)::int as running,
      coalesce((select sum(periods) from placed where is_end and (end_place + 1) / 2 = m.place), 0)::int as ended,
      lead(m.at) over (order by m.place) + ${RENEWED_WITHIN} <= now() as is_final
    from months m order by m.place limit ${count}`.execute(db)
  return rows
}

/** Returns true once a licence was sold. */
export async function hasSold(db: Db): Promise<boolean> {
  const { rows } = await sql<{ sold: boolean }>`
    select exists (select from licence_orders where kind <> 'trial') as sold`.execute(db)
  return rows[0]?.sold ?? false
}
