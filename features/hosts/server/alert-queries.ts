import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { AlertSettings, AlertsOfHost } from '#features/hosts/alert-contract.ts'
import { DISK_PERCENT, OFFLINE_MINUTES } from '#features/hosts/rules.ts'
import { alertColumns, alerts, type AlertRow } from './alert-turn-queries.ts'
import type { Db } from './queries.ts'

/** The first open alerts of an account, and the number of all; with `grant_id` those of the servers that a grant opens. */
export async function openAlerts(
  db: Db,
  user_id: string,
  { grant_id, limit }: { grant_id: string | undefined; limit: number },
): Promise<(AlertRow & { of: number })[]> {
  const opened = grant_id
    ? sql`and i.host_id in (select g.host_id from hosts_of_grant(${grant_id}::uuid) g)`
    : sql``
  const { rows } = await sql<AlertRow & { of: number }>`
    select ${alertColumns}, (count(*) over ())::int as of
    from alert_incidents i join hosts h on h.id = i.host_id left join host_agents a on a.host_id = i.host_id
    where i.user_id = ${user_id} and i.closed_at is null ${opened}
    order by i.opened_at desc, i.id desc limit ${limit}`.execute(db)
  return rows
}

/** The alerts of a host that are open or closed within 30 days, the newest first; at most 100. */
export async function alertsOfHost(db: Db, host_id: bigint): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select ${alertColumns}
    from alert_incidents i join hosts h on h.id = i.host_id left join host_agents a on a.host_id = i.host_id
    where i.host_id = ${host_id} and (i.closed_at is null or i.closed_at > now() - interval '30 days')
    order by i.opened_at desc, i.id desc limit 100`.execute(db)
  return rows
}

/** All alerts of an account, for the copy of its data. */
export async function alertsOfAccount(db: Db, user_id: string): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select ${alertColumns}
    from alert_incidents i join hosts h on h.id = i.host_id left join host_agents a on a.host_id = i.host_id
    where i.user_id = ${user_id} order by i.opened_at desc, i.id desc`.execute(db)
  return rows
}

type Own = AlertsOfHost['own']
const nothing: Own = { offline_minutes: null, disk_percent: null }

/** The values chosen for a host, or, with null, for the account. */
async function chosen(db: Db, user_id: string, host_id: bigint | null): Promise<Own> {
  const { rows } = await sql<Own>`
    select offline_minutes, disk_percent from alert_settings
    where user_id = ${user_id} and host_id is not distinct from ${host_id}::bigint`.execute(db)
  return rows[0] ?? nothing
}

export const ownSettings = (db: Db, user_id: string, host_id: bigint): Promise<Own> =>
  chosen(db, user_id, host_id)

export async function accountSettings(db: Db, user_id: string): Promise<AlertSettings> {
  const { offline_minutes, disk_percent } = await chosen(db, user_id, null)
  return {
    offline_minutes: offline_minutes ?? OFFLINE_MINUTES.usual,
    disk_percent: disk_percent ?? DISK_PERCENT.usual,
  }
}

type Change = { [Name in keyof Own]?: Own[Name] | undefined }

/** Writes the named values for a host, or, with null, for the account. */
export async function putSettings(
  tx: Tx,
  user_id: string,
  host_id: bigint | null,
  { offline_minutes, disk_percent }: Change,
): Promise<void> {
  const keep = { minutes: offline_minutes === undefined, percent: disk_percent === undefined }
  await sql`
    insert into alert_settings as s (user_id, host_id, offline_minutes, disk_percent)
    values (${user_id}::uuid, ${host_id}::bigint, ${offline_minutes ?? null}::smallint, ${disk_percent ?? null}::smallint)
    on conflict on constraint alert_settings_of_owner do update set
      offline_minutes = case when ${keep.minutes}::boolean then s.offline_minutes else excluded.offline_minutes end,
      disk_percent = case when ${keep.percent}::boolean then s.disk_percent else excluded.disk_percent end`.execute(
    tx,
  )
}

type Whose = { user_id: string; host_id?: bigint | undefined }

/**
 * Gives the agents of an account, or of one host, the values that count now. Silent ones are judged by the new value; a rule that is
 * switched off closes its alerts, without a mail. Agents are locked in the order in which check-ins lock them. Returns the alerts that
 * were closed.
 */
export async function applySettings(tx: Tx, { user_id, host_id }: Whose): Promise<AlertRow[]> {
  await sql`
    with agents as (
      select a.host_id, a.user_id from host_agents a
      where a.user_id = ${user_id}::uuid and ${host_id === undefined ? sql`true` : sql`a.host_id = ${host_id}`}
      order by a.host_id for update)
    update host_agents a set offline_minutes = v.offline_minutes, disk_percent = v.disk_percent,
      alert_at = case when v.offline_minutes = 0 then null
        when a.alert_at is not null then a.last_seen_at + make_interval(mins => v.offline_minutes)
        when a.offline_minutes = 0 and a.look_at is null and a.last_seen_at is not null
          then now() + make_interval(mins => v.offline_minutes) end,
      disk_since = case when v.disk_percent > 0 then a.disk_since end, disk_alert = a.disk_alert and v.disk_percent > 0
    from agents g cross join lateral alert_values(g.user_id, g.host_id) v
    where a.host_id = g.host_id and (a.offline_minutes, a.disk_percent) is distinct from (v.offline_minutes, v.disk_percent)`.execute(
    tx,
  )
  return alerts(
    tx,
    sql`found as (
      update alert_incidents i set closed_at = greatest(now(), i.opened_at), tell_at = null,
        peak = case i.kind when 'disk' then a.disk_peak end, mount = case i.kind when 'disk' then a.disk_mount end
      from host_agents a
      where i.user_id = ${user_id}::uuid and ${host_id === undefined ? sql`true` : sql`i.host_id = ${host_id}`}
        and a.host_id = i.host_id and i.closed_at is null
        and case i.kind when 'disk' then a.disk_percent else a.offline_minutes end = 0
      returning i.*)`,
  )
}

/**
 * Forgets the alerts of hosts, and what was chosen for them: they are deleted, or go to somebody else. Returns the alerts that were open,
 * as they close now.
 */
export async function forgetAlerts(tx: Tx, ids: readonly bigint[]): Promise<AlertRow[]> {
  const hosts = sql`${ids.map(String)}::bigint[]`
  const closed = await alerts(
    tx,
    sql`gone as (delete from alert_incidents where host_id = any(${hosts}) returning *),
    found as (
      select id, public_id, host_id, user_id, kind, since, opened_at, greatest(now(), opened_at) as closed_at, peak, mount
      from gone where closed_at is null)`,
  )
  await sql`delete from alert_settings where host_id = any(${hosts})`.execute(tx)
  return closed
}

export async function eraseSettings(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from alert_settings where user_id = ${user_id}::uuid`.execute(tx)
}
