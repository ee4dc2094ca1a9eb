import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Db } from './queries.ts'

/** Means over one step; null if nothing was reported in it. */
export type Point = {
  at: Date
  load_1m: number | null
  memory_used_bytes: number | null
  memory_total_bytes: number | null
  disk_used_bytes: number | null
  disk_total_bytes: number | null
}

/** One row for each step of the last `hours`, the running step included; each step begins at a multiple of `step_s` since 1970. */
export async function readMetrics(
  db: Db,
  host_id: bigint,
  { hours, step_s }: { hours: number; step_s: number },
): Promise<Point[]> {
  const step = sql`make_interval(secs => ${step_s})`
  const since = sql`date_bin(${step}, now() - make_interval(hours => ${hours}), 'epoch')`
  const columns = sql`at, load_1m, memory_used_bytes, memory_total_bytes, disk_used_bytes, disk_total_bytes`
  const { rows } = await sql<Point>`
    with told as (
      select ${columns} from host_metrics where host_id = ${host_id} and at >= ${since}
      union all
      select ${columns} from host_metrics_thinned where host_id = ${host_id} and at >= ${since}),
    means as (
      select date_bin(${step}, at, 'epoch') as at, round(avg(load_1m)::numeric, 3)::float8 as load_1m,
        round(avg(memory_used_bytes))::float8 as memory_used_bytes,
        round(avg(memory_total_bytes))::float8 as memory_total_bytes,
        round(avg(disk_used_bytes))::float8 as disk_used_bytes,
        round(avg(disk_total_bytes))::float8 as disk_total_bytes
      from told group by 1)
    select step.at, load_1m, memory_used_bytes, memory_total_bytes, disk_used_bytes, disk_total_bytes
    from generate_series(${since}, now(), ${step}) as step (at) left join means on means.at = step.at
    order by step.at`.execute(db)
  return rows
}

const bin = (at: unknown) => sql`date_bin('5 minutes', ${at}, 'epoch')`

/** Replaces the oldest five minutes of metrics, if they are a day old, by one mean for each host. Returns the number of rows removed. */
export async function thinOldest(tx: Tx): Promise<number> {
  const { rows } = await sql<{ thinned: number }>`
    with oldest as (select ${bin(sql`min(at)`)} as at from host_metrics),
    gone as (
      delete from host_metrics m using oldest
      where m.at >= oldest.at and m.at < oldest.at + interval '5 minutes'
        and oldest.at + interval '5 minutes' <= now() - interval '24 hours'
      returning m.*),
    kept as (
      insert into host_metrics_thinned (host_id, at, load_1m, memory_used_bytes, memory_total_bytes, disk_used_bytes,
        disk_total_bytes)
      select host_id, ${bin(sql`min(at)`)}, avg(load_1m), avg(memory_used_bytes), avg(memory_total_bytes),
        avg(disk_used_bytes), avg(disk_total_bytes)
      from gone group by host_id on conflict do nothing)
    select count(*)::int as thinned from gone`.execute(tx)
  return rows[0]?.thinned ?? 0
}

export async function dropOld(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('host_metrics_thinned')
    .where('at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
}

export async function forgetMetrics(tx: Tx, host_id: bigint): Promise<void> {
  await tx.deleteFrom('host_metrics').where('host_id', '=', host_id).execute()
  await tx.deleteFrom('host_metrics_thinned').where('host_id', '=', host_id).execute()
}
