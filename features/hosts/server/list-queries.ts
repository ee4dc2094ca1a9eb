import { sql, type RawBuilder } from 'kysely'
import { OFFLINE_AFTER_S, type LicenceStatus } from '#features/hosts/rules.ts'
import { hostRows, type Db, type HostRow } from './queries.ts'

export type Sort = 'name' | 'created_at' | 'paid_until'
export type Direction = 'asc' | 'desc'

export type Wanted = {
  user_id: string
  q?: string | undefined
  licence?: LicenceStatus | undefined
  connected?: 'yes' | 'no' | undefined
  sort: Sort
  direction: Direction
  /** Behind which host the page begins: its key in this order (a time may be null) and its id. */
  after?: { key: string | null; id: string } | undefined
  limit: number
  /** Only those that this grant of the customer opens. */
  grant_id?: string | undefined
  /** Besides the customer's own those that these grants open. */
  also?: readonly string[]
}

/** The hosts of one customer in the wanted order, one more than `limit` if there are more. */
export async function listHosts(db: Db, wanted: Wanted): Promise<HostRow[]> {
  const { user_id, sort, direction, limit, also = [] } = wanted
  const key = keyOf(sort, direction)
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql<HostRow>`${hostRows}
    where ${also.length === 0 ? sql`h.user_id = ${user_id}` : ownAndOf(user_id, also)} and h.deleted_at is null and ${sql.join(conditions(wanted), sql` and `)}
    order by ${key} ${way}, h.id ${way} limit ${limit + 1}`.execute(db)
  return rows
}

const ownAndOf = (user_id: string, grants: readonly string[]) => sql`h.id in (
  select own.id from hosts own where own.user_id = ${user_id} and own.deleted_at is null
  union all select s.host_id from unnest(${[...grants]}::uuid[]) held, hosts_of_grant(held) s)`

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
  // Searching for a piece of text and not for a pattern, so that % and _ mean themselves.
  if (q) all.push(sql`(strpos(lower(h.name), lower(${q}::text)) > 0 or strpos(host(h.ipv4), ${q}::text) > 0)`)
  if (grant_id) all.push(sql`h.id in (select g.host_id from hosts_of_grant(${grant_id}::uuid) g)`)
  if (licence) all.push(statuses[licence])
  if (connected) {
    const seen = sql`coalesce(a.last_seen_at > now() - make_interval(secs => ${OFFLINE_AFTER_S}), false)`
    all.push(connected === 'yes' ? seen : sql`not ${seen}`)
  }
  if (after) {
    const place = sql`(${valueOf(sort, direction, after.key)}, ${after.id}::bigint)`
    all.push(sql`(${keyOf(sort, direction)}, h.id) ${direction === 'asc' ? sql`>` : sql`<`} ${place}`)
  }
  return all
}

const statuses: Record<LicenceStatus, RawBuilder<unknown>> = {
  free: sql`h.paid_until is null`,
  active: sql`h.paid_until > now()`,
  expired: sql`h.paid_until <= now()`,
}

// Hosts that were never paid come last both ways: a null has no place of its own in a comparison of rows.
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
