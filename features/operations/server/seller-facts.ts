import { presentRate, sellerLimits } from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'
import { toMoney } from '#foundation/money.ts'
import { presentHolds } from './hold-queries.ts'

/** Returns what the law makes of the seller now: the limits on the turnover, and the periods that an audit holds. */
export async function sellerFacts(app: App) {
  const [limits, holds, rate] = await Promise.all([
    sellerLimits(app, app.db),
    presentHolds(app.db),
    presentRate(app, app.db, new Date()),
  ])
  const { currency } = app.config
  return {
    states: limits.map(({ state }) => state),
    lacksRate: rate === undefined,
    shown: {
      limits: limits.map(({ name, sum, limit }) => ({
        name,
        sum: toMoney(sum, currency),
        limit: toMoney(limit, currency),
      })),
      holds: holds.map(({ begun_at, ...hold }) => ({ ...hold, begun_at: begun_at.toISOString() })),
    },
  }
}
