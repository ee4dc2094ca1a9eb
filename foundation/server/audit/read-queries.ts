import { sql, type RawBuilder } from 'kysely'
import { microsecondsOf, timeOf } from '#foundation/server/database/times.ts'
import type { App } from '#foundation/server/app.ts'

export type AuditRow = {
  id: bigint
  at: Date
  /** The account that it concerns. */
  user_id: string | null
  act: string
  ip: string | null
  user_agent: string | null
  request_id: string | null
  detail: Record<string, unknown>
  /** Its place in the order of time: microseconds since 1970. */
  at_us: string
}

export type AuditFilter = {
  /** Only what concerns one of these accounts. */
  people?: readonly string[] | undefined
  actor?: string | undefined
  act?: string | undefined
  /** IPv4 or IPv6. */
  ip?: string | undefined
  /** Only these. */
  acts?: readonly string[] | undefined
  from?: string | undefined
  /** Before this time. */
  to?: string | undefined
}

type Place = { before?: readonly [at_us: string, id: string] | undefined; limit: number }

/** The audit, newest first. Whatever is filtered by has an index in this order, or few rows for one value. */
export async function auditBefore(db: App['db'], filter: AuditFilter, place: Place): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`${auditOf(filter, place)}`.execute(db)
  return rows
}

function auditOf({ actor, people, ...filter }: AuditFilter, { before, limit }: Place): RawBuilder<AuditRow> {
  const conditions = conditionsOf(filter, before)
  const source = people === undefined ? sql`audit` : concerning(people)
  if (actor === undefined) return selected(source, conditions, limit)
  // Staff are named as `by`; what people do to their own accounts names nobody. Each half has an index.
  const forOthers = [...conditions, sql`detail ? 'by' and detail->>'by' = ${actor}`]
  const forThemselves = [...conditions, sql`not detail ? 'by' and ip is not null`]
  const own = people === undefined || people.includes(actor) ? [actor] : []
  return sql<AuditRow>`select * from (
      (${selected(source, forOthers, limit)})
      union all
      (${selected(concerning(own), forThemselves, limit)})
    ) as acted order by at desc, id desc limit ${limit}`
}

/**
 * Found by their accounts alone, whatever else is asked for: such rows are few. Left to itself, the planner reads backwards in time
 * until it has met enough of them, which may be to the beginning.
 */
const concerning = (people: readonly string[]) =>
  sql`(select * from audit where user_id = any(${people}::uuid[]) offset 0) as audit`

const selected = (source: RawBuilder<unknown>, conditions: readonly RawBuilder<unknown>[], limit: number) =>
  sql<AuditRow>`
  select id, at, user_id, act, host(ip) as ip, user_agent, request_id, detail,
    ${microsecondsOf(sql`at`)} as at_us
  from ${source} where ${sql.join(conditions, sql` and `)} order by at desc, id desc limit ${limit}`

function conditionsOf(
  { act, acts, ip, from, to }: Omit<AuditFilter, 'actor' | 'people'>,
  before: Place['before'],
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (act !== undefined) conditions.push(sql`act = ${act}`)
  if (acts) conditions.push(sql`act = any(${[...acts]}::text[])`)
  if (ip !== undefined) conditions.push(sql`ip = ${ip}::inet`)
  if (from !== undefined) conditions.push(sql`at >= ${from}::timestamptz`)
  if (to !== undefined) conditions.push(sql`at < ${to}::timestamptz`)
  if (before) {
    conditions.push(sql`(at, id) < (${timeOf(before[0])}, ${before[1]}::bigint)`)
  }
  return conditions
}
