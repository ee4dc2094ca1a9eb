import { sql, type Kysely } from 'kysely'
import type { Database } from '#database/types.ts'
import { IPV4_CHANGES_DAYS, SILENT_AFTER_S } from '#features/hosts/rules.ts'
import type { Translated } from '#foundation/locale.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type Db = Kysely<Database>

/** What was ordered last: `price` in minor units, VAT included; `term` as ISO 8601 writes a duration. */
export type Licence = {
  paid_until: Date
  plan: string
  plan_name: Translated
  price: bigint
  currency: string
  term: string
  ordered_at: Date
}

/** A host that is not deleted, with its agent, as the database sees them `now`. */
export type HostRow = {
  id: bigint
  public_id: string
  user_id: string
  name: string
  ipv4: string | null
  /** Changes of the last days that were made while a licence was paid. */
  ipv4_changes: number
  auto_renew: boolean
  licence_key: string
  created_at: Date
  version: number
  has_agent_token: boolean
  last_seen_at: Date | null
  connected: boolean
  address_mismatch: boolean
  agent_address: string | null
  agent_version: string | null
  agent_hostname: string | null
  agent_uptime_s: number | null
  now: Date
} & ({ [Part in keyof Licence]: Licence[Part] } | { [Part in keyof Licence]: null })

/** Both as one row; `h` is the host, `a` its agent. An address of the other family says nothing about the host's. */
export const hostRows = sql`select h.id, h.public_id, h.user_id, h.name, host(h.ipv4) as ipv4, h.auto_renew, h.licence_key,
    h.paid_until, h.plan, h.plan_name, h.price, h.currency, h.term, h.ordered_at, h.created_at, h.version, now() as now,
    (select count(*)::int from unnest(h.ipv4_changes) as changed where changed > now() - make_interval(days => ${IPV4_CHANGES_DAYS})) as ipv4_changes,
    a.host_id is not null as has_agent_token, a.last_seen_at,
    coalesce(a.last_seen_at > now() - make_interval(secs => ${SILENT_AFTER_S}), false) as connected,
    coalesce(family(a.address) = 4 and a.address <> h.ipv4, false) as address_mismatch,
    host(a.address) as agent_address, a.version as agent_version, a.hostname as agent_hostname,
    a.uptime_s::float8 as agent_uptime_s
  from hosts h left join host_agents a on a.host_id = h.id`

type NewHost = { public_id: string; user_id: string; name: string; ipv4: string | null; licence_key: string }

export async function insertHost(tx: Tx, host: NewHost): Promise<void> {
  await tx.insertInto('hosts').values(host).execute()
}

export async function countHosts(db: Db, user_id: string): Promise<number> {
  const { rows } = await sql<{ hosts: number }>`
    select count(*)::int as hosts from hosts where user_id = ${user_id} and deleted_at is null`.execute(db)
  return rows[0]?.hosts ?? 0
}

export async function readHost(db: Db, user_id: string, public_id: string): Promise<HostRow | undefined> {
  const { rows } = await sql<HostRow>`${hostRows}
    where h.user_id = ${user_id} and h.public_id = ${public_id} and h.deleted_at is null`.execute(db)
  return rows[0]
}

export async function lockHost(tx: Tx, user_id: string, public_id: string): Promise<HostRow | undefined> {
  const { rows } = await sql<HostRow>`${hostRows}
    where h.user_id = ${user_id} and h.public_id = ${public_id} and h.deleted_at is null for update of h`.execute(
    tx,
  )
  return rows[0]
}

/** What hosts are called, by the ids that pages know; those that are gone are left out. Who asks has checked whose they are. */
export async function hostNames(db: Db, public_ids: readonly string[]): Promise<Map<string, string>> {
  if (public_ids.length === 0) return new Map()
  const { rows } = await sql<{ public_id: string; name: string }>`
    select public_id, name from hosts where public_id = any(${[...public_ids]}) and deleted_at is null`.execute(
    db,
  )
  return new Map(rows.map(({ public_id, name }) => [public_id, name]))
}

/** For jobs, which know a host by its row. */
export async function lockHostById(tx: Tx, id: bigint): Promise<HostRow | undefined> {
  const { rows } = await sql<HostRow>`${hostRows}
    where h.id = ${id} and h.deleted_at is null for update of h`.execute(tx)
  return rows[0]
}

export async function setName(tx: Tx, id: bigint, name: string): Promise<void> {
  await tx.updateTable('hosts').set({ name }).where('id', '=', id).execute()
}

/** `counted`: the change is remembered with the last two before it. */
export async function setIpv4(
  tx: Tx,
  id: bigint,
  ipv4: string | null,
  { counted }: { counted: boolean },
): Promise<void> {
  await sql`update hosts set ipv4 = ${ipv4}::inet, ipv4_changes = case when ${counted}
      then (array_append(ipv4_changes, now()))[greatest(1, cardinality(ipv4_changes) - 1):] else ipv4_changes end
    where id = ${id}`.execute(tx)
}

export async function setAutoRenew(tx: Tx, id: bigint, auto_renew: boolean): Promise<void> {
  await tx.updateTable('hosts').set({ auto_renew }).where('id', '=', id).execute()
}

/** Copies what was ordered on to the host; null: the licence is free again, as after a refund of the only order. */
export async function setLicence(tx: Tx, id: bigint, licence: Licence | null): Promise<void> {
  const { paid_until, plan, plan_name, price, currency, term, ordered_at } = licence ?? free
  await tx
    .updateTable('hosts')
    .set({
      paid_until,
      plan,
      plan_name: plan_name && JSON.stringify(plan_name),
      price,
      currency,
      term,
      ordered_at,
    })
    .where('id', '=', id)
    .execute()
}

const free = {
  paid_until: null,
  plan: null,
  plan_name: null,
  price: null,
  currency: null,
  term: null,
  ordered_at: null,
}

/** The host is gone from every list; its agent's token is void from here on. */
export async function markDeleted(tx: Tx, id: bigint): Promise<void> {
  await sql`update hosts set deleted_at = now(), auto_renew = false where id = ${id}`.execute(tx)
  await tx.deleteFrom('host_agents').where('host_id', '=', id).execute()
}

export async function lockHostsOf(tx: Tx, user_id: string): Promise<{ id: bigint; public_id: string }[]> {
  return tx
    .selectFrom('hosts')
    .select(['id', 'public_id'])
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Takes away what the owner called the hosts that are deleted and where they stood. */
export async function anonymize(tx: Tx, user_id: string): Promise<void> {
  await sql`update hosts set name = 'deleted', ipv4 = null
    where user_id = ${user_id} and deleted_at is not null`.execute(tx)
}

/** The hosts of a customer that renew themselves, what ends soonest first. */
export async function renewingHosts(db: Db, user_id: string): Promise<HostRow[]> {
  const { rows } = await sql<HostRow>`${hostRows}
    where h.user_id = ${user_id} and h.deleted_at is null and h.auto_renew and h.paid_until is not null
    order by h.paid_until, h.id`.execute(db)
  return rows
}
