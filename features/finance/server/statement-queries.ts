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
