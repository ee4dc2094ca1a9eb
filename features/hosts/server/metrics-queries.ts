import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Part } from './means.ts'
import type { Db } from './queries.ts'

/** The means of each step since then of what was reported before figures were kept by the hour (host_figures). */
export async function readFormerMeans(
  db: Db,
  host_id: bigint,
  { since_s, step_s }: { since_s: number; step_s: number },
): Promise<Part[]> {
  const columns = sql`at, load_1m, memory_used_bytes, memory_total_bytes, disk_used_bytes, disk_total_bytes`
  const theirs = sql`host_id = ${host_id} and at >= to_timestamp(${since_s})`
  const { rows } = await sql<Part>`
    select extract(epoch from date_bin(make_interval(secs => ${step_s}), at, 'epoch'))::float8 as at_s, count(*)::int as reports,
      avg(load_1m)::float8 as load_1m, avg(memory_used_bytes)::float8 as memory_used_bytes,
      avg(memory_total_bytes)::float8 as memory_total_bytes, avg(disk_used_bytes)::float8 as disk_used_bytes,
      avg(disk_total_bytes)::float8 as disk_total_bytes
    from (select ${columns} from host_metrics where ${theirs} union all select ${columns} from host_metrics_thinned where ${theirs}) told
    group by 1`.execute(db)
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
