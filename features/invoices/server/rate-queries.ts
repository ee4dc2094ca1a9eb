import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** The units of a currency that one euro is worth on a day, as text; exact. */
export type EuroRate = { day: string; currency: string; per_euro: string }

/** Keeps rates; one that is known stays, because documents name it. Returns the number of new ones. */
export async function keepRates(tx: Tx, rates: readonly EuroRate[], source: string): Promise<number> {
  const { rows } = await sql`
    insert into exchange_rates (day, currency, per_euro, source)
    select day, currency, per_euro, ${source}
    from jsonb_to_recordset(${JSON.stringify(rates)}::jsonb) as r (day date, currency text, per_euro numeric)
    on conflict do nothing returning day`.execute(tx)
  return rows.length
}

export type Rate = { rate: string; day: string; source: string }

/** Returns the newest rate up to a day, and at most `days` old, by which one unit of `from` is units of `to`; undefined without one. */
export async function rateUpTo(
  db: App['db'],
  { from, to, day, days }: { from: string; to: string; day: string; days: number },
): Promise<Rate | undefined> {
  const { rows } = await sql<Rate>`
    with dated as (
      select day, currency, per_euro, source from exchange_rates where currency in (${from}, ${to})
      union all select distinct day, 'EUR', 1, source from exchange_rates where currency in (${from}, ${to}))
    select trim_scale(round(t.per_euro / f.per_euro, 6))::text as rate, t.day::text, f.source
    from dated f join dated t using (day)
    where f.currency = ${from} and t.currency = ${to} and day <= ${day}::date and day >= ${day}::date - ${days}::integer
    order by day desc limit 1`.execute(db)
  return rows[0]
}

/** Returns an amount in minor units by a rate, rounded half up; `shift` is the difference of the digits of both currencies. */
export async function exchanged(
  db: App['db'],
  { amount, rate, shift }: { amount: bigint; rate: string; shift: number },
): Promise<bigint> {
  const { rows } = await sql<{ amount: bigint }>`
    select round(${String(amount)}::numeric * ${rate}::numeric * power(10::numeric, ${shift}::integer))::bigint as amount`.execute(
    db,
  )
  return must(rows[0]).amount
}
