import { sql } from 'kysely'
import { INTERVAL_S, INTERVALS_UNTIL_OFFLINE } from '#features/hosts/rules.ts'
import type { Agent } from '#foundation/server/agents.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { diskTurn, fullestDisk, writeDisk } from './alert-turn-queries.ts'
import { hostRows, silence, type HostRow } from './queries.ts'

/** A check-in of an agent, with the address it came from. */
export type CheckIn = {
  host_id: bigint
  address: string
  figures: {
    version: string
    hostname: string
    uptime_s: number
    load_1m: number
    memory_used_bytes: number
    memory_total_bytes: number
    disk_used_bytes: number
    disk_total_bytes: number
    disks?: readonly { mount: string; used_bytes: number; total_bytes: number }[] | undefined
  }
}

export async function putToken(
  tx: Tx,
  token: { host_id: bigint; user_id: string; token_hash: Buffer },
): Promise<void> {
  const { host_id, user_id, token_hash } = token
  await sql`
    insert into host_agents (host_id, user_id, token_hash, offline_minutes, disk_percent)
    select ${host_id}::bigint, ${user_id}::uuid, ${token_hash}::bytea, v.offline_minutes, v.disk_percent
    from alert_values(${user_id}::uuid, ${host_id}::bigint) v
    on conflict (host_id) do update set token_hash = excluded.token_hash`.execute(tx)
}

// Every check-in reads its token anew; one statement reads the tokens of many check-ins.
const byToken = batched(async (app: App, hashes: readonly string[]) => {
  const keys = hashes.map((hash) => Buffer.from(hash, 'hex'))
  const { rows } = await sql<Agent & { hash: string }>`
    select host_id as id, user_id, encode(token_hash, 'hex') as hash from host_agents
    where token_hash = any(${keys}::bytea[])`.execute(app.db)
  return new Map(rows.map(({ hash, ...agent }): [string, Agent] => [hash, agent]))
})

export const agentByToken = (app: App, token_hash: Buffer) => byToken(app, token_hash.toString('hex'))

export type AgentReport = {
  host_id: bigint
  is_news: boolean
  is_back: boolean
  /** It checks in from another address than last time. */
  is_moved: boolean
  former_interval_s: number
  /** Set where an alert for a full disk opens or closes; `disk_peak` and `disk_mount` are the fullest before this check-in, in percent. */
  disk_turn: 'opens' | 'closes' | null
  disk_peak: number | null
  disk_mount: string | null
}

/**
 * Writes the check-ins of these agents, and returns for each host that is not deleted whether its owner must be
 * notified: it was offline before (`is_back`), or checks in from another address than last time. If a host has several check-ins,
 * the last one counts. The rows are locked in a fixed order, so that two such statements at once do not deadlock.
 * The interval that each agent is told is `resting_s`, or less: after news, while somebody looks, and where silence must be told soon.
 */
export async function writeCheckIns(
  tx: Tx,
  checkIns: readonly CheckIn[],
  resting_s: number,
): Promise<AgentReport[]> {
  const list = <Value>(of: (checkIn: CheckIn) => Value) => checkIns.map(of)
  const figures = <Name extends keyof CheckIn['figures']>(name: Name) => list((one) => one.figures[name])
  const fullest = list((one) => fullestDisk(one.figures))
  const { rows } = await sql<AgentReport>`
    with told as (
      select distinct on (host_id) * from unnest(
        ${list(({ host_id }) => host_id.toString())}::bigint[], ${list(({ address }) => address)}::inet[],
        ${figures('version')}::text[], ${figures('hostname')}::text[], ${figures('uptime_s')}::bigint[],
        ${fullest.map(({ percent }) => percent)}::real[], ${fullest.map(({ mount }) => mount)}::text[])
      with ordinality as t (host_id, address, version, hostname, uptime_s, fullest, mount, place)
      order by host_id, place desc),
    before as materialized (
      select host_id, a.look_at is null or a.last_seen_at <= now() - ${silence} as is_back,
        a.look_at is null or a.last_seen_at <= now() - ${silence}
        or a.address is distinct from told.address as is_news, a.address is distinct from told.address as is_moved, a.interval_s as former_interval_s,
        coalesce(a.watched_until > now(), false) as is_watched, ${diskTurn}
      from host_agents a join told using (host_id) order by host_id for update of a),
    next as materialized (
      select host_id, case when is_news or is_watched then ${INTERVAL_S}::int
        else least(${resting_s}::int, longest_interval_of(host_id)) end as interval_s from before),
    seen as (
      update host_agents a set last_seen_at = now(), address = told.address, version = told.version,
        hostname = told.hostname, uptime_s = told.uptime_s, interval_s = next.interval_s, ${writeDisk},
        look_at = least(a.look_at, now() + make_interval(secs => ${INTERVALS_UNTIL_OFFLINE}::int * next.interval_s))
      from told join next using (host_id) where a.host_id = told.host_id)
    select host_id, is_news, is_back, is_moved, former_interval_s, disk_turn, disk_peak, disk_mount from before`.execute(
    tx,
  )
  return rows
}

/** Has the agents of these hosts come often for a while: somebody looks at their figures. */
export async function setWatched(tx: Tx, host_id: bigint, watched_s: number): Promise<void> {
  await sql`update host_agents set watched_until = now() + make_interval(secs => ${watched_s})
    where host_id = ${host_id}`.execute(tx)
}

/** Returns the hosts with these row ids in the order of their owners, so that publishing for them takes locks in one order. */
export async function hostsById(tx: Tx, ids: readonly bigint[]): Promise<HostRow[]> {
  const { rows } = await sql<HostRow>`${hostRows}
    where h.id = any(${arrayOf(ids.map(String), 'bigint')}) order by h.user_id, h.id`.execute(tx)
  return rows
}

/** True if some agent is due to be checked. The query reads an index of the deadlines of all agents that are not known to be offline. */
export async function isAnyDue({ db }: App): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from host_agents where look_at <= now()) as due`.execute(db)
  return rows[0]?.due ?? false
}

// Silent agents are looked at again when their alert is due; the others keep what they have.
const alertAt = sql`case when last_seen_at > now() - ${silence} then a.alert_at
    when a.offline_minutes > 0 then last_seen_at + make_interval(mins => a.offline_minutes) end`

export type CheckedAgent = { host_id: bigint; user_id: string; public_id: string; is_silent: boolean }

/**
 * Checks agents that are due: an agent that checked in meanwhile is scheduled again for its next deadline, the others are offline from now on.
 * Rows that another process or an agent has locked are left to the next check.
 */
export async function claimDue(tx: Tx, limit: number): Promise<CheckedAgent[]> {
  const { rows } = await sql<CheckedAgent>`
    with due as materialized (
      select host_id from host_agents where look_at <= now() order by look_at limit ${limit} for update skip locked)
    update host_agents a set look_at = case when last_seen_at > now() - ${silence} then last_seen_at + ${silence} end,
      alert_at = ${alertAt}
    from due join hosts h on h.id = due.host_id where a.host_id = due.host_id
    returning a.host_id, a.user_id, h.public_id, a.look_at is null as is_silent`.execute(tx)
  return rows
}

/** Counts the hosts that are offline, and those of them that went offline within a day. */
export async function countOfflineHosts(db: App['db']): Promise<{ offline: number; since_today: number }> {
  const { rows } = await sql<{ offline: number; since_today: number }>`
    select count(*)::int as offline,
      (count(*) filter (where last_seen_at > now() - interval '24 hours'))::int as since_today
    from host_agents a where last_seen_at <= now() - ${silence}`.execute(db)
  return must(rows[0])
}
