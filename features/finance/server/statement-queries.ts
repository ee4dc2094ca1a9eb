import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { startOfDay } from '#foundation/server/database/times.ts'

type Owner = { user_id: string; currency: string }

/** The first moment of a month (2026-10) in the time zone, that of the next, and the balance that the month began with. */
export async function beginningOf(
  db: App['db'],
  { user_id, currency }: Owner,
  { month, time_zone }: { month: string; time_zone: string },
): Promise<{ from: Date; to: Date; opening: bigint }> {
  const { rows } = await sql<{ from: Date; to: Date; opening: bigint }>`
    with span as (
      select ${startOfDay(`${month}-01`, time_zone)} as since,
        ((${`${month}-01`}::date + interval '1 month')::timestamp at time zone ${time_zone}) as until)
    select since as "from", until as "to", coalesce((
      select e.balance_after from entries e join ledger_accounts a on a.id = e.account_id
      where a.user_id = ${user_id} and a.currency = ${currency} and e.seq is not null and e.created_at < since
      order by e.created_at desc, e.seq desc limit 1), 0)::bigint as opening
    from span`.execute(db)
  return must(rows[0])
}

/** The accounts with transactions in a span, in the order of their ids, after `after`; at most `limit`. */
export async function accountsMoved(
  db: App['db'],
  {
    since,
    until,
    currency,
    after,
    limit,
  }: { since: Date; until: Date; currency: string; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct e.user_id from entries e
    where e.user_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') and e.currency = ${currency}
      and e.created_at >= ${since} and e.created_at < ${until}
    order by e.user_id limit ${limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** Returns how much of an account's balance was a gift after its transaction with this number (minor units). */
export async function giftAfter(
  db: App['db'],
  { user_id, currency, seq }: Owner & { seq: bigint },
): Promise<bigint> {
  const { rows } = await sql<{ gift: bigint }>`
    select coalesce(sum(e.gift), 0)::bigint as gift from entries e join ledger_accounts a on a.id = e.account_id
    where a.user_id = ${user_id} and a.currency = ${currency} and e.seq <= ${seq} and e.gift <> 0`.execute(db)
  return must(rows[0]).gift
}

/** The first moment of a month (2026-10) in the time zone, and that of the next. */
export async function spanOfMonth(
  db: App['db'],
  { month, time_zone }: { month: string; time_zone: string },
): Promise<{ since: Date; until: Date }> {
  const { rows } = await sql<{ since: Date; until: Date }>`
    select ${startOfDay(`${month}-01`, time_zone)} as since,
      ((${`${month}-01`}::date + interval '1 month')::timestamp at time zone ${time_zone}) as until`.execute(
    db,
  )
  return must(rows[0])
}
