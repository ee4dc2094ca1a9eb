import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/hosts/contract.ts'
import { metricsStep_s } from '#features/hosts/rules.ts'
import { noteLook } from './interval.ts'
import { hostOf } from './own-host.ts'
import * as queries from './metrics-queries.ts'

/** The metrics of a host in the last hours, as columns, which is how a chart takes them. */
export const getMetrics = handler(contract.getMetrics, async ({ app, actor, params, query: { hours } }) => {
  const host = await hostOf(app.db, actor.user_id, params.hostId)
  noteLook(app, host)
  const { id } = host
  const step_s = metricsStep_s(hours)
  const points = await queries.readMetrics(app.db, id, { hours, step_s })
  const series = (name: Exclude<keyof queries.Point, 'at'>) => points.map((point) => point[name])
  return {
    status: 200,
    body: {
      step_s,
      times: points.map(({ at }) => at.toISOString()),
      load_1m: series('load_1m'),
      memory_used_bytes: series('memory_used_bytes'),
      memory_total_bytes: series('memory_total_bytes'),
      disk_used_bytes: series('disk_used_bytes'),
      disk_total_bytes: series('disk_total_bytes'),
    },
  }
})

/** Keeps every figure for a day, and means of five minutes for 30 days. Each transaction is short, however much is left to be thinned. */
export async function thinMetrics(app: App): Promise<void> {
  while ((await transaction(app, 'system', queries.thinOldest)) > 0);
  await transaction(app, 'system', queries.dropOld)
}

/** Deletes the metrics of deleted hosts, in a transaction for each host: the metrics of many hosts are too much for one transaction. */
export async function forgetMetrics(app: App, { ids }: { ids: readonly string[] }): Promise<void> {
  for (const id of ids) await transaction(app, 'system', (tx) => queries.forgetMetrics(tx, BigInt(id)))
}
