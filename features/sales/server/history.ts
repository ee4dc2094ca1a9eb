import { hostOf } from '#features/hosts/server/hosts.ts'
import { withdrawableOf, type Withdrawable } from '#features/legal/server/legal.ts'
import { newestInvoices } from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'
import { toMoney } from '#foundation/money.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/sales/contract.ts'
import { historyOf, type HistoryRow } from '#features/licences/server/licences.ts'

/** Answers `GET /api/hosts/{hostId}/licence/history/`. */
export const listPaidPeriods = handler(
  contract.listPaidPeriods,
  async ({ app, actor: { user_id }, params, query: { limit, cursor } }) => {
    const { id: host_id } = await hostOf(app.db, user_id, params.hostId)
    return { status: 200, body: await pageOfPeriods(app, { user_id, host_id }, { limit, cursor }) }
  },
)

/** Returns a page of the paid periods of one host, or, without `host_id`, of all hosts that the customer ever had. */
export async function pageOfPeriods(
  app: App,
  owner: { user_id: string; host_id?: bigint | undefined },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const [starts_at, id] = placeIn(cursor, [placeKinds.time, placeKinds.number]) ?? []
  const after = starts_at !== undefined && id !== undefined ? { starts_at, id } : undefined
  const rows = await historyOf(app.db, owner, { after, limit: limit + 1 })
  const agreed = await withdrawableOf(
    app.db,
    rows.flatMap(({ order_id, total }) => (total === null ? [] : [order_id])),
    app.config.timeZone,
  )
  const reissued = await newestInvoices(
    app.db,
    owner.user_id,
    rows.flatMap(({ invoice_id }) => (invoice_id === null ? [] : [invoice_id])),
  )
  const withdrawals = new Map(agreed.map((order) => [order.order_id, order]))
  const placeOf = (row: HistoryRow) => [row.starts_at.toISOString(), String(row.id)]
  return pageFrom(rows, limit, placeOf, ({ invoice_id, ...row }) =>
    toPeriodReply(
      { ...row, invoice_id: invoice_id === null ? null : (reissued.get(invoice_id) ?? invoice_id) },
      withdrawals.get(row.order_id),
    ),
  )
}

const toPeriodReply = (row: HistoryRow, agreed: Withdrawable | undefined): contract.PaidPeriod => ({
  id: String(row.id),
  plan: row.plan_name,
  term: row.term,
  kind: row.kind,
  starts_at: row.starts_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  ended: row.ended,
  total: row.total === null ? null : toMoney(row.total, row.currency),
  ordered_at: row.ordered_at.toISOString(),
  invoice_id: row.invoice_id,
  // The rest of an upgraded period belongs to the order of the upgrade, from which the customer may withdraw instead.
  ...(agreed && row.ended !== 'upgraded'
    ? {
        withdrawal: {
          order_id: row.order_id,
          until: agreed.until.toISOString(),
          declared: agreed.declared_at === null ? null : declaredReply(agreed),
        },
      }
    : {}),
})

/** A declared withdrawal as its customer and staff see it. */
export const declaredReply = (declared: {
  declared_at: Date
  proposed_refund: bigint
  currency: string
}): contract.Declared => ({
  declared_at: declared.declared_at.toISOString(),
  proposed_refund: toMoney(declared.proposed_refund, declared.currency),
})
