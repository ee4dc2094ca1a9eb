import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { must } from '#foundation/must.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { alertColumns, GATHER_s, type AlertRow } from './alert-turn-queries.ts'

/** An alert of which something is to be told. */
export type PendingRow = AlertRow & {
  id: bigint
  opening_told: boolean
  /** The last mail that told of an opening by this rule on this server, if it is not an hour ago. */
  told_at: Date | null
  /** The value of the rule: minutes, or percent. */
  value: number
}

const AT_ONCE = 200

/** The accounts with something to tell, some at a time. */
export async function accountsToTell({ db }: App): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from (
      select user_id from alert_incidents where tell_at <= now() order by tell_at limit ${AT_ONCE}) due`.execute(
    db,
  )
  return rows.map(({ user_id }) => user_id)
}

/** Locks all that is to be told to an account now, or in a moment. */
export async function lockPending(tx: Tx, user_id: string): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    with pending as materialized (
      select * from alert_incidents
      where user_id = ${user_id} and tell_at <= now() + make_interval(secs => ${GATHER_s}) order by id for update)
    select ${alertColumns}, i.id, i.opening_told_at is not null as opening_told, told.at as told_at,
      (case i.kind when 'disk' then v.disk_percent else v.offline_minutes end)::int as value
    from pending i join hosts h on h.id = i.host_id left join host_agents a on a.host_id = i.host_id
    cross join lateral alert_values(i.user_id, i.host_id) v
    cross join lateral (
      select max(t.opening_told_at) as at from alert_incidents t where t.host_id = i.host_id and t.kind = i.kind
        and t.opening_told_at between now() - interval '60 minutes' and now()) told
    order by i.id`.execute(tx)
  return rows
}

/** Counts the news that an account was told in the last two minutes. */
export async function countNotices(tx: Tx, user_id: string): Promise<number> {
  const { rows } = await sql<{ told: number }>`
    select (count(*) filter (where opening_told_at > now() - interval '2 minutes')
      + count(*) filter (where closing_told_at > now() - interval '2 minutes'))::int as told
    from alert_incidents where user_id = ${user_id} and opened_at > now() - interval '1 day'`.execute(tx)
  return must(rows[0]).told
}

export async function markNotified(tx: Tx, ids: readonly bigint[]): Promise<void> {
  await sql`
    update alert_incidents set opening_told_at = coalesce(opening_told_at, now()),
      closing_told_at = case when closed_at is not null then now() end, tell_at = null
    where id = any(${ids.map(String)}::bigint[])`.execute(tx)
}

/** Puts off what was told of an hour ago at most: it is told an hour after that, all at once. */
export async function putOff(tx: Tx, held: readonly { id: bigint; told_at: Date | null }[]): Promise<void> {
  await sql`
    update alert_incidents i set tell_at = w.told_at + interval '60 minutes'
    from unnest(${held.map(({ id }) => String(id))}::bigint[], ${held.map(({ told_at }) => told_at)}::timestamptz[]) as w (id, told_at)
    where i.id = w.id`.execute(tx)
}
