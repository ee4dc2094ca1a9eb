import { sql, type RawBuilder } from 'kysely'
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
  /** Microseconds since 1970: times of whole milliseconds do not order rows of one transaction after another. */
  at_us: bigint
}

export type AuditFilter = {
  /** Only what concerns one of these accounts. */
  people?: readonly string[] | undefined
  actor?: string | undefined
  act?: string | undefined
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

function auditOf({ actor, ...filter }: AuditFilter, place: Place): RawBuilder<AuditRow> {
  const conditions = conditionsOf(filter, place)
  if (actor === undefined) return selected(conditions, place.limit)
  // Staff are named as `by`; what people do to their own accounts names nobody. Each half has an index.
  return sql<AuditRow>`select * from (
      (${selected([...conditions, sql`detail ? 'by' and detail->>'by' = ${actor}`], place.limit)})
      union all
      (${selected([...conditions, sql`user_id = ${actor}::uuid and not detail ? 'by' and ip is not null`], place.limit)})
    ) as acted order by at desc, id desc limit ${place.limit}`
}

const selected = (conditions: readonly RawBuilder<unknown>[], limit: number) => sql<AuditRow>`
  select id, at, user_id, act, host(ip) as ip, user_agent, request_id, detail,
    (extract(epoch from at) * 1000000)::bigint as at_us
  from audit where ${sql.join(conditions, sql` and `)} order by at desc, id desc limit ${limit}`

function conditionsOf(
  { people, act, acts, from, to }: Omit<AuditFilter, 'actor'>,
  { before }: Place,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (people) conditions.push(sql`user_id = any(${people}::uuid[])`)
  if (act !== undefined) conditions.push(sql`act = ${act}`)
  if (acts) conditions.push(sql`act = any(${[...acts]}::text[])`)
  if (from !== undefined) conditions.push(sql`at >= ${from}::timestamptz`)
  if (to !== undefined) conditions.push(sql`at < ${to}::timestamptz`)
  if (before) {
    const at = sql`timestamptz 'epoch' + ${before[0]}::bigint * interval '1 microsecond'`
    conditions.push(sql`(at, id) < (${at}, ${before[1]}::bigint)`)
  }
  return conditions
}
