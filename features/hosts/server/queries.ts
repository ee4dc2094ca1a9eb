import { sql, type Kysely } from 'kysely'
import { batched, batchedRows } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import { locks } from '#features/finance/server/finance.ts'
import { INTERVALS_UNTIL_OFFLINE, IPV4_CHANGES_DAYS, type SuspensionReason } from '#features/hosts/rules.ts'
import type { Translated } from '#foundation/locale.ts'
import { recordLocked } from '#foundation/server/database/lock-order.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { KeptExtra, PaidTime } from './paid-time.ts'

export type { KeptExtra, PaidTime } from './paid-time.ts'
export type Db = Kysely<Database>

type HostProduct = { slug: string; name: Translated; kind: 'server' | 'program' }

type Renewal = Pick<PaidTime, 'plan' | 'plan_name' | 'term'>

/** `text` is the operator's explanation for the customer, or empty. */
type Suspended = { since: string; reason: SuspensionReason; text: string }

/** A host that is not deleted, with its agent; `now` is the time at which the database read them. */
export type HostRow = {
  id: bigint
  public_id: string
  user_id: string
  name: string
  /** The product, if it is another than the first one. */
  product: HostProduct | null
  ipv4: string | null
  ipv6: string | null
  /** The number of address changes in the last IPV4_CHANGES_DAYS days that were made while a licence was paid. */
  ipv4_changes: number
  auto_renew: boolean
  licence_key: string
  /** The time at which the owner last renewed the key, or let it stay; null if neither. */
  key_checked_at: Date | null
  paid_until: Date | null
  /** Documents with an earlier `iat`, in seconds, are void; 0 if none are (docs/decisions/102). */
  documents_from_s: number
  /** The paid period that runs now, or else the last one before now, and all later periods; `licenceAt` (rules.ts) reads them. */
  periods: PaidTime[]
  /** Another plan that its owner has chosen for the end of the paid time. */
  renewal: Renewal | null
  /** Other add-ons that its owner has chosen for the end of the paid time; null for those of the last period. */
  extras_at_end: KeptExtra[] | null
  /** The suspension, if the host may not run, paid or not; as JSON, so that `since` is a text. */
  suspended: Suspended | null
  created_at: Date
  version: number
  has_agent_token: boolean
  last_seen_at: Date | null
  /** The seconds until the next check-in that were told with the last one; null without an agent. */
  interval_s: number | null
  connected: boolean
  address_mismatch: boolean
  agent_address: string | null
  agent_version: string | null
  agent_hostname: string | null
  agent_uptime_s: number | null
  now: Date
}

// The licence of a host, by a function of the feature that owns the paid periods (decision 031). It is a column and not a join, so
// that it is computed only for the hosts of a page, after sorting. It is json, which PostgreSQL sends as it was built: jsonb would first
// be parsed and sorted, which takes a sixth of the time of a page. A host without a paid end has no periods, and none are looked for.
export const periods = sql`case when h.paid_until is null then '[]'::json else (select coalesce(json_agg(json_build_object('plan', l.plan, 'plan_name', l.plan_name, 'edition', l.edition, 'term', l.term,
      'price', l.price::text, 'currency', l.currency, 'entitlements', l.entitlements, 'ordered_at', l.ordered_at, 'starts_at', l.starts_at,
      'ends_at', l.ends_at, 'is_trial', l.is_trial, 'promo', l.promo, 'extras', l.extras) order by l.starts_at), '[]'::json)
    from paid_terms(h.id, statement_timestamp()) l) end as periods`

// Read with the rest of the host: a later statement could see a revocation of the state that the first has read.
export const documentsFrom = sql`(select d.starts_s::float8 from documents_from(h.public_id) d) as documents_from_s`

// The plan at the end and the suspension come from functions of the same feature, for the same reasons.
const renewal = sql`case when h.paid_until is not null then (
    select json_build_object('plan', r.plan, 'plan_name', r.plan_name, 'term', r.term) from renewal_of(h.id) r) end as renewal,
  case when h.paid_until is not null then extras_at_end(h.id) end as extras_at_end`

export const suspended = sql`(select json_build_object('since', s.starts_at, 'reason', s.reason, 'text', s.text_public)
    from suspension_of(h.id) s) as suspended`

// The first product has no name of its own on pages: only others are looked up.
export const product = sql`case when h.product <> 'server' then product_of(h.product) end as product`

/** A host as lists and pages show it. */
export type ShownHost = Omit<HostRow, 'documents_from_s'>

/** The time without a check-in after which an agent is silent: it follows the interval that the agent was told. */
export const silence = sql`make_interval(secs => ${INTERVALS_UNTIL_OFFLINE}::int * a.interval_s)`

/** True if the agent was seen lately. */
export const isConnected = sql`coalesce(a.last_seen_at > now() - ${silence}, false)`

/** True if the agent checks in from another address than the host's of the same family. */
export const addressMismatch = sql`coalesce(case family(a.address) when 4 then a.address <> h.ipv4 else not a.address <<= h.ipv6 end, false)`

/**
 * The columns of ShownHost; `h` is the host, `a` its agent. The agent's address is compared with the host's address of the same family, if
 * the host has one: most machines have addresses of both families, and the network chooses one.
 */
export const hostColumns = sql`h.id, h.public_id, h.user_id, h.name, ${product}, host(h.ipv4) as ipv4, abbrev(h.ipv6) as ipv6, h.auto_renew, h.licence_key, h.key_checked_at,
    h.paid_until, ${periods}, ${renewal}, ${suspended}, h.created_at, h.version, statement_timestamp() as now,
    (select count(*)::int from unnest(h.ipv4_changes) as changed where changed > now() - make_interval(days => ${IPV4_CHANGES_DAYS})) as ipv4_changes,
    a.host_id is not null as has_agent_token, a.last_seen_at, a.interval_s,
    ${isConnected} as connected,
    ${addressMismatch} as address_mismatch,
    host(a.address) as agent_address, a.version as agent_version, a.hostname as agent_hostname,
    a.uptime_s::float8 as agent_uptime_s`

export const hostRows = sql`select ${hostColumns}, ${documentsFrom} from hosts h left join host_agents a on a.host_id = h.id`

type NewHost = Pick<HostRow, 'public_id' | 'user_id' | 'name' | 'ipv4' | 'ipv6' | 'licence_key'>

/** Inserts a host of the first product, or of the product of the plan that is ordered for it. */
export async function insertHost(tx: Tx, host: NewHost, plan?: string): Promise<void> {
  const product = plan === undefined ? {} : { product: sql<string>`product_of_plan(${plan})` }
  await tx
    .insertInto('hosts')
    .values({ ...host, ...product })
    .execute()
}

export async function countHosts(db: Db, user_id: string): Promise<number> {
  const { rows } = await sql<{ hosts: number }>`
    select count(*)::int as hosts from hosts where user_id = ${user_id} and deleted_at is null`.execute(db)
  return rows[0]?.hosts ?? 0
}

export type NamedHost = { id: bigint; public_id: string; name: string }

/** Ids and names of hosts by their row ids, without a lock; deleted hosts are left out. */
export async function namedHosts(db: Db, ids: readonly bigint[]): Promise<NamedHost[]> {
  const { rows } = await sql<NamedHost>`
    select id, public_id, name from hosts where id = any(${ids.map(String)}::bigint[]) and deleted_at is null
    order by name, id`.execute(db)
  return rows
}

/** Ids and names of hosts by their row ids, deleted hosts included: the payments for a host outlive it. */
export async function everNamedHosts(db: Db, ids: readonly bigint[]): Promise<Map<bigint, NamedHost>> {
  const { rows } = await sql<NamedHost>`
    select id, public_id, name from hosts where id = any(${ids.map(String)}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the hosts with these row ids by name, all of them, without deleted hosts. The caller has checked their owner. */
export async function hostsById(db: Db, ids: readonly bigint[]): Promise<HostRow[]> {
  const { rows } = await sql<HostRow>`${hostRows}
    where h.id = any(${ids.map(String)}::bigint[]) and h.deleted_at is null
    order by h.name, h.id`.execute(db)
  return rows
}

/** Returns the first 500 hosts of a customer by name, for a page that shows them together. */
export async function firstHostsOf(db: Db, owner_id: string): Promise<HostRow[]> {
  const { rows } = await sql<HostRow>`${hostRows}
    where h.user_id = ${owner_id}::uuid and h.deleted_at is null
    order by h.name, h.id limit 500`.execute(db)
  return rows
}

/** The rows of a customer's hosts by their public ids; deleted, foreign and unknown ones are left out. */
export async function ownHosts(
  db: Db,
  user_id: string,
  public_ids: readonly string[],
): Promise<Pick<HostRow, 'id' | 'public_id'>[]> {
  return db
    .selectFrom('hosts')
    .select(['id', 'public_id'])
    .where('user_id', '=', user_id)
    .where((row) => sql<boolean>`${row.ref('public_id')} = any(${[...public_ids]}::text[])`)
    .where('deleted_at', 'is', null)
    .execute()
}

/**
 * Locks hosts by their row ids, in the order of these ids, and returns those that are there. An act locks all its hosts by one call: a later
 * call for a lower id is refused (rule 9).
 */
export async function lockHostsById(tx: Tx, ids: readonly bigint[]): Promise<HostRow[]> {
  const locked = await sql<{ id: bigint }>`
    select id from hosts where id = any(${ids.map(String)}::bigint[]) and deleted_at is null order by id for update`.execute(
    tx,
  )
  const found = locked.rows.map(({ id }) => id)
  recordLocked(tx, locks.hosts, found)
  const { rows } = await sql<HostRow>`${hostRows} where h.id = any(${found.map(String)}::bigint[])`.execute(
    tx,
  )
  return rows
}

/** Locks one host by its row id. Calls made at the same time, as by jobs that run together, lock theirs together. */
export const lockHostById = batched(
  async (tx: Tx, ids: readonly bigint[]) =>
    new Map((await lockHostsById(tx, ids)).map((row) => [row.id, row])),
)

/** The owner and the row of anybody's host, for staff. Undefined for a deleted and an unknown one. */
export async function ownerOfHost(
  db: Db,
  public_id: string,
): Promise<{ id: bigint; user_id: string } | undefined> {
  return db
    .selectFrom('hosts')
    .select(['id', 'user_id'])
    .where('public_id', '=', public_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Locks the hosts that are neither deleted nor locked by another transaction, and returns their row ids. */
export async function lockFreeHosts(tx: Tx, ids: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select id from hosts where id = any(${ids.map(String)}::bigint[]) and deleted_at is null
    order by id for update skip locked`.execute(tx)
  const found = rows.map(({ id }) => id)
  recordLocked(tx, locks.hosts, found, { waited: false })
  return found
}

export async function setName(tx: Tx, id: bigint, name: string): Promise<void> {
  await tx.updateTable('hosts').set({ name }).where('id', '=', id).execute()
}

export async function setAutoRenew(tx: Tx, id: bigint, auto_renew: boolean): Promise<void> {
  await tx.updateTable('hosts').set({ auto_renew }).where('id', '=', id).execute()
}

/** Writes the end of a host's paid time, by which lists sort; null makes the licence free again, as after a refund of the only order. */
export const setPaidUntil = batchedRows(
  async (tx: Tx, hosts: readonly { id: bigint; paid_until: Date | null }[]): Promise<void[]> => {
    await sql`
      update hosts h set paid_until = w.paid_until
      from unnest(${hosts.map(({ id }) => String(id))}::bigint[], ${hosts.map(({ paid_until }) => paid_until)}::timestamptz[])
        as w (id, paid_until)
      where h.id = w.id`.execute(tx)
    return []
  },
)

/** The host is gone from every list; its agent's token is void from here on. */
export async function markDeleted(tx: Tx, id: bigint): Promise<void> {
  await sql`update hosts set deleted_at = now(), auto_renew = false where id = ${id}`.execute(tx)
  await tx.deleteFrom('host_agents').where('host_id', '=', id).execute()
}

export async function lockHostsOf(tx: Tx, user_id: string): Promise<NamedHost[]> {
  const hosts = await tx
    .selectFrom('hosts')
    .select(['id', 'public_id', 'name'])
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  recordLocked(
    tx,
    locks.hosts,
    hosts.map(({ id }) => id),
  )
  return hosts
}

/** Erases the names and addresses of the deleted hosts. */
export async function anonymize(tx: Tx, user_id: string): Promise<void> {
  await sql`update hosts set name = 'deleted', ipv4 = null, ipv6 = null
    where user_id = ${user_id} and deleted_at is not null`.execute(tx)
}

/** The hosts of a customer that renew themselves, the earliest end first. Calls made at the same time ask together. */
export const renewingHosts = batchedRows(async (db: Db, owners: readonly string[]): Promise<HostRow[][]> => {
  const { rows } = await sql<HostRow>`${hostRows}
    where h.user_id = any(${arrayOf(owners, 'uuid')}) and h.deleted_at is null and h.auto_renew
      and h.paid_until is not null
    order by h.paid_until, h.id`.execute(db)
  const found = Map.groupBy(rows, ({ user_id }) => user_id)
  return owners.map((owner) => found.get(owner) ?? [])
})
