import { hostOf } from '#features/hosts/server/hosts.ts'
import type { App } from '#foundation/server/app.ts'
import { toMoney } from '#foundation/money.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/licences/contract.ts'
import { historyOf, type HistoryRow } from './queries.ts'

/** Paid periods of a host, newest first. */
export const listPaidPeriods = handler(
  contract.listPaidPeriods,
  async ({ app, actor: { user_id }, params, query: { limit, cursor } }) => {
    const { id: host_id } = await hostOf(app.db, user_id, params.hostId)
    return { status: 200, body: await pageOfPeriods(app.db, { user_id, host_id }, { limit, cursor }) }
  },
)

/** The runtime of one host, or (`host_id` undefined) of all that the customer ever had. */
export async function pageOfPeriods(
  db: App['db'],
  owner: { user_id: string; host_id?: bigint | undefined },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const [starts_at, id] = placeIn(cursor, [placeKinds.time, placeKinds.number]) ?? []
  const after = starts_at !== undefined && id !== undefined ? { starts_at, id } : undefined
  const rows = await historyOf(db, owner, { after, limit: limit + 1 })
  const placeOf = (row: HistoryRow) => [row.starts_at.toISOString(), String(row.id)]
  return pageFrom(rows, limit, placeOf, toPeriodReply)
}

const toPeriodReply = (row: HistoryRow): contract.PaidPeriod => ({
  id: String(row.id),
  plan: row.plan_name,
  term: row.term,
  kind: row.kind,
  starts_at: row.starts_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  ended: row.ended,
  total: toMoney(row.total, row.currency),
  ordered_at: row.ordered_at.toISOString(),
  invoice_id: row.invoice_id,
})
