import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/hosts/contract.ts'
import { metricsStep_s } from '#features/hosts/rules.ts'
import { readPoints } from './figures.ts'
import { forgetFigures } from './figures-queries.ts'
import { lastOfEach, MINUTE_S } from './figures-row.ts'
import { waitingPoints } from './gather.ts'
import { noteLook } from './interval.ts'
import { diskMeans, firstStep, meansBy, type Series } from './means.ts'
import { hostOf } from './own-host.ts'
import * as queries from './metrics-queries.ts'

/** The metrics of a host in the last hours, as columns, which is how a chart takes them. */
export const getMetrics = handler(contract.getMetrics, async ({ app, actor, params, query: { hours } }) => {
  const host = await hostOf(app.db, actor.user_id, params.hostId)
  noteLook(app, host)
  const step_s = metricsStep_s(hours)
  const since_s = firstStep(host.now, hours, step_s)
  const [written, parts] = await Promise.all([
    readPoints(app.db, host.id, since_s),
    queries.readFormerMeans(app.db, host.id, { since_s, step_s }),
  ])
  // A point that is being written may be among both.
  const points = lastOfEach([...written, ...waitingPoints(app, host.id)], MINUTE_S)
  const means = meansBy({ points, parts }, { now: host.now, hours, step_s })
  const series = (name: Series) => means.map((mean) => mean[name])
  return {
    status: 200,
    body: {
      step_s,
      times: means.map(({ at_s }) => new Date(at_s * 1000).toISOString()),
      load_1m: series('load_1m'),
      memory_used_bytes: series('memory_used_bytes'),
      memory_total_bytes: series('memory_total_bytes'),
      disk_used_bytes: series('disk_used_bytes'),
      disk_total_bytes: series('disk_total_bytes'),
      disks: diskMeans(points, { now: host.now, hours, step_s }),
    },
  }
})

/**
 * Thins what the release before still stores as a row for each report: every figure for a day, means of five minutes for 30 days. Each
 * transaction is short, however much is left.
 */
export async function thinMetrics(app: App): Promise<void> {
  while ((await transaction(app, 'system', queries.thinOldest)) > 0);
  await transaction(app, 'system', queries.dropOld)
}

/** Deletes the metrics of deleted hosts, in a transaction for each host: the metrics of many hosts are too much for one transaction. */
export async function forgetMetrics(app: App, { ids }: { ids: readonly string[] }): Promise<void> {
  for (const id of ids)
    await transaction(app, 'system', async (tx) => {
      await queries.forgetMetrics(tx, BigInt(id))
      await forgetFigures(tx, BigInt(id))
    })
}
