import { sql, type RawBuilder } from 'kysely'
import type { ActorKind } from '#foundation/actor-kinds.ts'
import type { ByTime } from '#foundation/paging.ts'
import { byMoment, inOrder, type Order } from '#foundation/server/database/order.ts'
import type { App } from '#foundation/server/app.ts'

export type AuditRow = {
  id: bigint
  at: Date
  /** The account that the entry concerns. */
  user_id: string | null
  act: string
  ip: string | null
  user_agent: string | null
  request_id: string | null
  detail: Record<string, unknown>
  actor_kind: ActorKind
  /** The account that acted; null for an actor without an account. */
  actor_id: string | null
  /** The place of the entry in the order of time: microseconds since 1970. */
  at_us: string
}

export type AuditFilter = {
  /** The accounts that the entries concern. */
  people?: readonly string[] | undefined
  actor?: string | undefined
  act?: string | undefined
  /** IPv4 or IPv6. */
  ip?: string | undefined
  /** The acts to choose from. */
  acts?: readonly string[] | undefined
  from?: string | undefined
  /** The entries are from before this time. */
  to?: string | undefined
  /** The kinds of actors to choose from. */
  kinds?: readonly ActorKind[] | undefined
  /** Selects the entries about these hosts, and the entries of the acting account `or_by`. */
  about?: { hosts: readonly string[]; or_by: string } | undefined
}

type Place = {
  /** The last row of the page before. */
  before?: readonly [at_us: string, id: string] | undefined
  limit: number
  sort?: ByTime
}

/** Returns a page of the audit, the newest first unless `sort` says otherwise. Each filter has an index in this order, or few rows for one value. */
export async function auditBefore(db: App['db'], filter: AuditFilter, place: Place): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`${auditOf(filter, place)}`.execute(db)
  return rows
}

type SummedFilter = {
  person: string
  /** The acts to choose from. */
  acts: readonly string[]
  /** The acts that are summed: the entries of one such act within an hour become one row, the newest entry. */
  summed: readonly string[]
}

/** The entries about one account, newest first, each with the number of rows that it stands for. */
export async function summedAuditBefore(
  db: App['db'],
  { person, acts, summed }: SummedFilter,
  place: Place,
): Promise<(AuditRow & { times: number })[]> {
  const isSummed = sql`act = any(${[...summed]}::text[])`
  const counted = sql`(
    select *, (count(*) over same)::int as times, row_number() over (same order by at desc, id desc) as nth
    from ${concerning([person])} where act = any(${[...acts]}::text[])
    window same as (partition by act, case when ${isSummed} then date_trunc('hour', at) end, case when ${isSummed} then 0 else id end)) as audit`
  const order = inTime('newest')
  const conditions = [sql`nth = 1`, ...conditionsOf({}, place.before, order)]
  const { rows } = await sql<
    AuditRow & { times: number }
  >`${selected(counted, conditions, place.limit, order, sql`, times`)}`.execute(db)
  return rows
}

function auditOf(
  { people, ...filter }: AuditFilter,
  { before, limit, sort = 'newest' }: Place,
): RawBuilder<AuditRow> {
  const order = inTime(sort)
  const conditions = conditionsOf(filter, before, order)
  if (people === undefined) return selected(sql`audit`, conditions, limit, order)
  return selected(firstOf(people, conditions, limit, order), [sql`true`], limit, order)
}

const inTime = (sort: ByTime): Order => inOrder(byMoment(sql`at`), sql`id`, sort === 'newest')

/** The first entries of each account, by the index audit_of_user_by_time: an account may have thousands, and a page shows few. */
const firstOf = (
  people: readonly string[],
  conditions: readonly RawBuilder<unknown>[],
  limit: number,
  order: Order,
) => sql`(
    select first.* from unnest(${[...new Set(people)]}::uuid[]) as person (id), lateral (
      select * from audit where user_id = person.id and ${sql.join(conditions, sql` and `)}
      order by ${order.by} limit ${limit}) as first) as audit`

/**
 * The entries of these accounts. They are few, so `offset 0` makes PostgreSQL find them by account before it applies other conditions: else
 * the planner reads backwards in time until it has met enough of them, which may be at the beginning of the audit.
 */
const concerning = (people: readonly string[]) =>
  sql`(select * from audit where user_id = any(${people}::uuid[]) offset 0) as audit`

const selected = (
  source: RawBuilder<unknown>,
  conditions: readonly RawBuilder<unknown>[],
  limit: number,
  order: Order,
  further = sql``,
) =>
  sql<AuditRow>`
  select id, at, user_id, act, host(ip) as ip, user_agent, request_id, detail, actor_kind, actor_id,
    ${order.place} as at_us ${further}
  from ${source} where ${sql.join(conditions, sql` and `)} order by ${order.by} limit ${limit}`

function conditionsOf(
  { actor, act, acts, ip, from, to, kinds, about }: Omit<AuditFilter, 'people'>,
  before: Place['before'],
  order: Order,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (actor !== undefined) conditions.push(sql`actor_id = ${actor}::uuid`)
  if (act !== undefined) conditions.push(sql`act = ${act}`)
  if (acts) conditions.push(sql`act = any(${[...acts]}::text[])`)
  if (ip !== undefined) conditions.push(sql`ip = ${ip}::inet`)
  if (from !== undefined) conditions.push(sql`at >= ${from}::timestamptz`)
  if (to !== undefined) conditions.push(sql`at < ${to}::timestamptz`)
  if (kinds) conditions.push(sql`actor_kind = any(${[...kinds]}::text[])`)
  if (about)
    conditions.push(
      sql`(detail->>'host_id' = any(${[...about.hosts]}::text[]) or actor_id = ${about.or_by}::uuid)`,
    )
  if (before) conditions.push(order.isAfter(before[0], sql`${before[1]}::bigint`))
  return conditions
}
