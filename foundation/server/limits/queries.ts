import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'

export type Count = { allowed: boolean; at: Date; used: number; retry_after_s: number }

/**
 * Counts one attempt in a sliding window, if there is room. One statement: the row's lock makes parallel callers take
 * turns, so that of 200 at once exactly `limit` are allowed. A refused attempt does not lengthen the window, and neither does a clock that
 * ran ahead: an attempt of the future counts as one of now.
 */
export async function countAttempt(
  db: App['db'],
  bucket: Buffer,
  limit: number,
  window_s: number,
): Promise<Count> {
  const result = await sql<Count>`
    insert into attempts as a (bucket, hits, allowed, expires_at)
    values (${bucket}, array[clock_timestamp()], true, clock_timestamp() + make_interval(secs => ${window_s}))
    on conflict (bucket) do update set (hits, allowed, expires_at) = (
      select case when cardinality(recent) < ${limit} then recent || clock_timestamp() else recent end,
             cardinality(recent) < ${limit},
             clock_timestamp() + make_interval(secs => ${window_s})
      from (select coalesce(array_agg(least(hit, clock_timestamp()) order by hit), '{}') as recent from unnest(a.hits) as hit
            where hit > clock_timestamp() - make_interval(secs => ${window_s})) as counted)
    returning allowed, hits[cardinality(hits)] as at, cardinality(hits) as used,
      ceil(greatest(1, ${window_s} - extract(epoch from clock_timestamp() - hits[1])))::int as retry_after_s
  `.execute(db)
  return must(result.rows[0])
}

/** Releases one counted attempt, for windows that count failures only. */
export async function releaseAttempt(db: App['db'], bucket: Buffer, at: Date): Promise<void> {
  // `at` has only milliseconds, as every JavaScript date: one hit within that millisecond is released.
  await sql`
    update attempts set hits = (
      select coalesce(array_agg(hit order by hit), '{}') from (
        select hit, row_number() over (order by date_trunc('milliseconds', hit) = ${at} desc, hit desc) as place
        from unnest(hits) as hit) as placed
      where place > 1)
    where bucket = ${bucket}`.execute(db)
}

export async function forgetAttempts(db: App['db'], bucket: Buffer): Promise<void> {
  await db.deleteFrom('attempts').where('bucket', '=', bucket).execute()
}

/** Clears windows that ended. */
export async function sweepAttempts(app: App): Promise<void> {
  await app.db
    .deleteFrom('attempts')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
}
