import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { DISK_MINUTES, type AlertKind } from '#features/hosts/rules.ts'

/** An alert with its server; times of the database's clock, `peak` in percent. */
export type AlertRow = {
  public_id: string
  kind: AlertKind
  user_id: string
  since: Date
  opened_at: Date
  closed_at: Date | null
  peak: number | null
  /** The mount of the fullest disk; null for a silent server. */
  mount: string | null
  host_id: string
  host_name: string
}

/** The columns of AlertRow: `i` is the incident, `h` its host, `a` its agent, which has the peak of an open one. */
export const alertColumns = sql`i.public_id, i.kind, i.user_id, i.since, i.opened_at, i.closed_at,
  (case when i.kind = 'disk' then coalesce(i.peak, a.disk_peak) end)::float8 as peak,
  case when i.kind = 'disk' then coalesce(i.mount, a.disk_mount) end as mount, h.public_id as host_id, h.name as host_name`

/** News wait this long for others of the same account, which then go into one mail. */
export const GATHER_s = 60
export const gathered = sql`now() + make_interval(secs => ${GATHER_s})`

// The parts of the statement that writes check-ins: `a` is the agent before it, `told` is the check-in.
const isFull = sql`(a.disk_percent > 0 and told.fullest >= a.disk_percent)`

/** Set by a check-in that opens or closes an alert of a disk: these alone cost a statement more. */
export const diskTurn = sql`case
    when ${isFull} and not a.disk_alert and a.disk_since <= now() - make_interval(mins => ${DISK_MINUTES}) then 'opens'
    when a.disk_alert and not ${isFull} then 'closes' end as disk_turn, a.disk_peak::float8 as disk_peak, a.disk_mount`

export const writeDisk = sql`disk_since = case when ${isFull} then coalesce(a.disk_since, now()) end,
    disk_peak = case when ${isFull} then greatest(a.disk_peak, told.fullest) end,
    disk_mount = case when not ${isFull} then null when a.disk_mount is null or told.fullest > a.disk_peak then told.mount else a.disk_mount end,
    disk_alert = a.disk_alert and ${isFull}`

/** The fullest disk of a machine, and how full it is in percent, as the check-in tells it: that of `/`, or another one. */
export function fullestDisk({ disk_used_bytes, disk_total_bytes, disks = [] }: Disks) {
  const root = { mount: '/', used_bytes: disk_used_bytes, total_bytes: disk_total_bytes }
  const all = [root, ...disks].map(({ mount, used_bytes, total_bytes }) => ({
    mount,
    percent: total_bytes === 0 ? 0 : (100 * used_bytes) / total_bytes,
  }))
  return all.reduce((fullest, disk) => (disk.percent > fullest.percent ? disk : fullest))
}

type Disks = {
  disk_used_bytes: number
  disk_total_bytes: number
  /** The disks other than `/`. */
  disks?: readonly { mount: string; used_bytes: number; total_bytes: number }[] | undefined
}

/** Opens alerts for full disks of these servers, but for suspended ones. */
export async function openFull(tx: Tx, ids: readonly bigint[]): Promise<AlertRow[]> {
  return alerts(
    tx,
    sql`full_disks as (
      update host_agents a set disk_alert = true
      where a.host_id = any(${ids.map(String)}::bigint[]) and not exists (select from suspension_of(a.host_id))
      returning a.host_id, a.user_id, a.disk_since),
    found as (
      insert into alert_incidents (host_id, user_id, kind, since, opened_at, tell_at)
      select host_id, user_id, 'disk', disk_since, now(), ${gathered} from full_disks
      on conflict do nothing returning *)`,
  )
}

/** Closes the open alerts of a kind; `peak` is how full the fullest disk was meanwhile, and `mount` that disk. */
export async function closeAlerts(tx: Tx, kind: AlertKind, over: readonly Over[]): Promise<AlertRow[]> {
  return alerts(
    tx,
    sql`found as (
      update alert_incidents i set closed_at = greatest(now(), i.opened_at), peak = o.peak, mount = o.mount,
        tell_at = case when i.opening_told_at is null then i.tell_at else ${gathered} end
      from unnest(${over.map(({ host_id }) => String(host_id))}::bigint[], ${over.map(({ peak }) => peak)}::real[],
        ${over.map(({ mount }) => mount)}::text[]) as o (host_id, peak, mount)
      where i.host_id = o.host_id and i.kind = ${kind} and i.closed_at is null returning i.*)`,
  )
}

type Over = { host_id: bigint; peak: number | null; mount: string | null }

/** Runs a statement whose part `found` returns incidents, and returns them in the order of their owners. */
export async function alerts(tx: Tx, parts: RawBuilder<unknown>): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    with ${parts}
    select ${alertColumns} from found i join hosts h on h.id = i.host_id left join host_agents a on a.host_id = i.host_id
    order by i.user_id, i.id`.execute(tx)
  return rows
}
