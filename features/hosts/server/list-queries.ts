import { sql, type RawBuilder } from 'kysely'
import { canonicalIpv6 } from '#foundation/ipv6.ts'
import { must } from '#foundation/must.ts'
import { batchedRows } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { LicenceStatus } from '#features/hosts/rules.ts'
import { hostColumns, isConnected, type Db, type ShownHost } from './queries.ts'
import { holdsWords } from '#foundation/server/database/search-queries.ts'

export type Sort = 'name' | 'created_at' | 'paid_until'
export type Direction = 'asc' | 'desc'

type Wanted = {
  user_id: string
  q?: string | undefined
  licence?: LicenceStatus | undefined
  connected?: 'yes' | 'no' | undefined
  sort: Sort
  direction: Direction
  /** The last host of the previous page: its row id, and the value that the list is sorted by, null if it was never paid. */
  after?: { key: string | null; id: string } | undefined
  limit: number
  /** The grant by which a helper sees the customer's hosts: hosts that it does not open are left out. */
  grant_id?: string | undefined
  /** Further hosts besides the customer's own: each grant opens all hosts of its owner, or some. */
  also?: readonly Opened[]
}

type Opened = { owner_id: string; grant_id: string; all_hosts: boolean }

/** Returns hosts in the wanted order, one more than `limit` if there are more. */
export const listHosts = async (db: Db, wanted: Wanted): Promise<ShownHost[]> =>
  isNewest(wanted) ? newest(db, wanted) : must((await pagesOf(db, [wanted]))[0])

/** The newest hosts, as every list begins, are read by few steps. Calls made at the same time ask together. */
const newest = batchedRows((db: Db, asked: readonly Wanted[]) => pagesOf(db, asked))

const isNewest = ({ sort, direction, q, licence, connected, after, grant_id, also = [] }: Wanted): boolean =>
  sort === 'created_at' &&
  direction === 'desc' &&
  !(q || licence || connected || after || grant_id || also.length)

/**
 * Returns the pages that several customers want, all in one order and with the same conditions. The subquery `page` finds the pages among
 * thousands of hosts, and only for the pages agents and licences are read. `lateral … offset 0` makes PostgreSQL read the agents by their
 * keys, which it would not do if it expected a large page.
 */
async function pagesOf(db: Db, asked: readonly Wanted[]): Promise<ShownHost[][]> {
  const wanted = must(asked[0])
  const owners = asked.map(({ user_id }) => user_id)
  const limits = asked.map(({ limit }) => limit + 1)
  const way = wanted.direction === 'asc' ? sql`asc` : sql`desc`
  const order = sql`order by ${keyOf(wanted.sort, wanted.direction)} ${way}, h.id ${way}`
  const agents = wanted.connected ? sql`left join host_agents a on a.host_id = h.id` : sql``
  const { rows } = await sql<ShownHost & { place: number }>`
    with page as materialized (
      select asked.place::int, h.*
      from unnest(${arrayOf(owners, 'uuid')}, ${arrayOf(limits, 'bigint')}) with ordinality as asked (owner, most, place)
      cross join lateral (
        select h.* from hosts h ${agents}
        where ${ofWhom(wanted)} and h.deleted_at is null and ${sql.join(conditions(wanted), sql` and `)}
        ${order} limit asked.most) h)
    select h.place, ${hostColumns}
    from page h left join lateral (select * from host_agents x where x.host_id = h.id offset 0) a on true
    ${order}`.execute(db)
  const found = Map.groupBy(rows, ({ place }) => place)
  return asked.map((_, place) => found.get(place + 1) ?? [])
}

function ofWhom({ also = [] }: Wanted): RawBuilder<unknown> {
  if (also.length === 0) return sql`h.user_id = asked.owner`
  const whole = also.filter(({ all_hosts }) => all_hosts).map(({ owner_id }) => owner_id)
  const some = also.filter(({ all_hosts }) => !all_hosts).map(({ grant_id }) => grant_id)
  const owned = sql`h.user_id = any(asked.owner || ${whole}::uuid[])`
  if (some.length === 0) return owned
  return sql`(${owned} or h.id in (select s.host_id from unnest(${some}::uuid[]) held, hosts_of_grant(held) s))`
}

function conditions({
  q,
  licence,
  connected,
  sort,
  direction,
  after,
  grant_id,
}: Wanted): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (q) all.push(found(q))
  if (grant_id) all.push(sql`h.id in (select g.host_id from hosts_of_grant(${grant_id}::uuid) g)`)
  if (licence) all.push(statuses[licence])
  if (connected) all.push(connected === 'yes' ? isConnected : sql`not ${isConnected}`)
  if (after) {
    const place = sql`(${valueOf(sort, direction, after.key)}, ${after.id}::bigint)`
    all.push(sql`(${keyOf(sort, direction)}, h.id) ${direction === 'asc' ? sql`>` : sql`<`} ${place}`)
  }
  return all
}

/**
 * The condition for hosts whose name or address contains the text. It is no pattern, so that % and _ mean themselves. A whole IPv6
 * address in any spelling also finds the host whose network contains it.
 */
function found(q: string): RawBuilder<unknown> {
  const address = canonicalIpv6(q.trim())
  const isIn = address === undefined ? sql`` : sql` or h.ipv6 && ${address}::inet`
  return sql`(${holdsWords(sql`h.name`, q)} or strpos(host(h.ipv4), ${q}::text) > 0
    or strpos(abbrev(h.ipv6), lower(${q}::text)) > 0${isIn})`
}

const statuses: Record<LicenceStatus, RawBuilder<unknown>> = {
  free: sql`h.paid_until is null`,
  active: sql`h.paid_until > now()`,
  expired: sql`h.paid_until <= now()`,
}

// Hosts that were never paid come last in both directions. Infinity stands for their null, which a comparison of rows cannot order.
const never = (direction: Direction) =>
  direction === 'asc' ? sql`timestamptz 'infinity'` : sql`timestamptz '-infinity'`

function keyOf(sort: Sort, direction: Direction): RawBuilder<unknown> {
  if (sort === 'name') return sql`h.name collate people_order`
  return sort === 'created_at' ? sql`h.created_at` : sql`coalesce(h.paid_until, ${never(direction)})`
}

function valueOf(sort: Sort, direction: Direction, key: string | null): RawBuilder<unknown> {
  if (sort === 'name') return sql`${key}::text collate people_order`
  return key === null ? never(direction) : sql`${key}::timestamptz`
}

/**
 * Names and owners of hosts by their public ids; deleted hosts are left out. A host that went to another account keeps its id, but only
 * its present owner may read its name.
 */
export async function hostNames(
  db: Db,
  public_ids: readonly string[],
): Promise<Map<string, { name: string; user_id: string }>> {
  if (public_ids.length === 0) return new Map()
  const { rows } = await sql<{ public_id: string; name: string; user_id: string }>`
    select public_id, name, user_id from hosts where public_id = any(${[...public_ids]}) and deleted_at is null`.execute(
    db,
  )
  return new Map(rows.map(({ public_id, ...host }) => [public_id, host]))
}
