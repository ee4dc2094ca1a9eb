import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { DemoMetrics } from './metrics.ts'

/** Adds metrics of a server, and sets the time of its last check-in to `silent_s` seconds ago. */
export async function insertMetrics(
  tx: Tx,
  host_id: bigint,
  points: readonly (DemoMetrics & { at: Date })[],
  {
    address,
    hostname,
    version,
    silent_s,
  }: { address: string; hostname: string; version: string; silent_s: number },
): Promise<void> {
  const list = <Value>(of: (point: DemoMetrics & { at: Date }) => Value) => points.map(of)
  await sql`insert into host_metrics (host_id, at, load_1m, memory_used_bytes, memory_total_bytes, disk_used_bytes, disk_total_bytes)
    select ${host_id}::bigint, * from unnest(${list(({ at }) => at)}::timestamptz[], ${list((point) => point.load_1m)}::real[],
      ${list((point) => point.memory_used_bytes)}::bigint[], ${list((point) => point.memory_total_bytes)}::bigint[],
      ${list((point) => point.disk_used_bytes)}::bigint[], ${list((point) => point.disk_total_bytes)}::bigint[])`.execute(
    tx,
  )
  await sql`update host_agents set last_seen_at = now() - make_interval(secs => ${silent_s}), address = ${address}::inet,
      version = ${version}, hostname = ${hostname}, uptime_s = ${points.at(-1)?.uptime_s ?? 0},
      look_at = case when ${silent_s}::integer = 0 then now() + interval '1 minute' end
    where host_id = ${host_id}`.execute(tx)
}
