import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import type { KeptExtra } from '#features/hosts/server/hosts.ts'
import { keptAccount } from '#features/invoices/server/invoices.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Period, periodEnds, Term } from '#features/licences/rules.ts'

export type OrderedPeriod = Period & {
  id: bigint
  order_id: string
  term: Term
  ended: (typeof periodEnds)[number] | null
}

/**
 * Returns the last paid period of a host, if any, and the time by the database's clock, in whole milliseconds like
 * all times in these tables. Periods that were cut to nothing do not count.
 */
export const runtimeOf = async (
  db: App['db'],
  host_id: bigint,
): Promise<{ now: Date; last: Period | undefined }> => must(await runtimes(db, host_id))

const runtimes = batched(async (db: App['db'], host_ids: readonly bigint[]) => {
  const { rows } = await sql<{ host_id: bigint; now: Date } & (Period | { starts_at: null })>`
    select host_id, date_trunc('milliseconds', clock_timestamp()) as now, p.starts_at, p.ends_at, p.anchor_day
    from unnest(${host_ids.map(String)}::bigint[]) as wanted (host_id) left join lateral (
      select starts_at, ends_at, anchor_day from paid_periods
      where host_id = wanted.host_id and ends_at > starts_at order by ends_at desc limit 1) p on true`.execute(
    db,
  )
  return new Map(
    rows.map(({ host_id, now, ...row }) => [
      host_id,
      { now, last: row.starts_at === null ? undefined : row },
    ]),
  )
})

/** The runtime of a host that is not over at `now`, in order, with the terms it was ordered with. */
export async function periodsAhead(tx: Tx, host_id: bigint, now: Date): Promise<OrderedPeriod[]> {
  return tx
    .selectFrom('paid_periods as p')
    .innerJoin('licence_orders as o', 'o.id', 'p.order_id')
    .select(['p.id', 'p.order_id', 'p.starts_at', 'p.ends_at', 'p.anchor_day', 'p.ended', 'o.term'])
    .where('p.host_id', '=', host_id)
    .where('p.ends_at', '>', now)
    .whereRef('p.ends_at', '>', 'p.starts_at')
    .orderBy('p.starts_at')
    .execute()
}

/** Moves periods in one statement, because the constraint against overlaps is checked at the end of a statement. */
export async function writePeriods(tx: Tx, periods: readonly OrderedPeriod[]): Promise<void> {
  await sql`
    update paid_periods as p set starts_at = w.starts_at, ends_at = w.ends_at,
      -- A period that stays in place keeps the beginning of its term, which is earlier after an upgrade.
      term_starts_at = case when p.starts_at = w.starts_at then p.term_starts_at else w.starts_at end,
      anchor_day = w.anchor_day, ended = w.ended
    from unnest(${periods.map(({ id }) => String(id))}::bigint[], ${periods.map((period) => period.starts_at)}::timestamptz[],
      ${periods.map((period) => period.ends_at)}::timestamptz[], ${periods.map((period) => period.anchor_day)}::smallint[],
      ${periods.map((period) => period.ended)}::text[]) as w (id, starts_at, ends_at, anchor_day, ended)
    where p.id = w.id`.execute(tx)
}

/** A period that has not ended, with the terms of its order. `net` is the value of its time (minor units of `currency`). */
export type ValuedPeriod = OrderedPeriod & {
  /** Null for a trial, and for a period that a promo code has made free. */
  transaction_id: string | null
  /** The account that paid for the period, and that its documents name. */
  buyer_id: string
  /** The account that has the money of the buyer: the one into which the buyer was merged, or the buyer. */
  kept_id: string
  /** The agreement by which another account paid; null if the owner paid. */
  agreement_id: string | null
  term_starts_at: Date
  net: bigint
  currency: string
  plan_name: Translated
  /** The rank of its edition. */
  rank: number
  is_trial: boolean
  /** The extras of its order, for the owner who ordered; null for any other. */
  extras: KeptExtra[] | null
}

/** The runtime of a host that is not over at `now`, in order. */
export async function valuedPeriods(db: App['db'], host_id: bigint, now: Date): Promise<ValuedPeriod[]> {
  const { rows } = await sql<ValuedPeriod>`
    select p.id, p.order_id, p.starts_at, p.ends_at, p.anchor_day, p.ended, o.term, o.transaction_id, coalesce(o.payer_id, o.user_id) as buyer_id,
      ${keptAccount(sql`coalesce(o.payer_id, o.user_id)`)} as kept_id, o.agreement_id, o.currency, o.plan_name, e.rank,
      o.kind = 'trial' as is_trial,
      p.term_starts_at, p.net, case when ${keptAccount(sql`o.user_id`)} = p.user_id then o.extras end as extras
    from paid_periods p join licence_orders o on o.id = p.order_id join editions e on e.slug = p.edition
    where p.host_id = ${host_id} and p.ends_at > ${now} and p.ends_at > p.starts_at
    order by p.starts_at`.execute(db)
  return rows
}

/**
 * Lowers the value of an order's period by a refund (`net`: before VAT, in minor units): first that of its fees and one-offs, then that of its
 * time; a refund `ofTime`, of months or as the credit of an upgrade, first that of its time.
 */
export async function lowerValue(
  tx: Tx,
  order_id: string,
  net: bigint,
  { ofTime = false }: { ofTime?: boolean } = {},
): Promise<void> {
  await sql`
    update paid_periods set net = net - ${net}::bigint + taken.once, once_net = once_net - taken.once
    from (select order_id, case when ${ofTime} then greatest(${net}::bigint - net, 0) else least(once_net, ${net}::bigint) end as once
      from paid_periods where order_id = ${order_id} for update) taken
    where paid_periods.order_id = taken.order_id`.execute(tx)
}
