import { getFinances } from '#features/finance/contract.ts'
import type { Upcoming } from '#features/finance/rules.ts'
import { lastsUntil, moneyOf } from '#features/finance/server/finance.ts'
import { hostOf, hostsById, renewingHosts } from '#features/hosts/server/hosts.ts'
import { newestInvoices } from '#features/invoices/server/invoices.ts'
import { withdrawableOf, type Withdrawable } from '#features/legal/server/legal.ts'
import { chargesOf, historyOf, type HistoryRow } from '#features/licences/server/licences.ts'
import { hostsPaidBy, paidAmong } from '#features/payers/server/payers.ts'
import * as contract from '#features/sales/contract.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'

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

/** Answers `GET /api/finances/`: the balance, and what will be charged automatically. */
export const overview = handler(getFinances, async ({ app, actor }) => {
  const { user_id } = actor
  const { currency, payments, topUp } = app.config
  const [{ balance, gift }, upcoming] = await Promise.all([
    moneyOf(app.db, { user_id, currency }),
    upcomingCharges(app, app.db, user_id),
  ])
  const inOrder = upcoming.toSorted((one, other) => one.due_at.getTime() - other.due_at.getTime())
  const body = {
    balance: toMoney(balance, currency),
    gift: toMoney(gift, currency),
    lasts_until: lastsUntil(balance, upcoming, new Date())?.toISOString() ?? null,
    upcoming: inOrder.map(({ host_id, host_name, due_at, total }) => ({
      host_id,
      host_name,
      due_at: due_at.toISOString(),
      total: toMoney(total, currency),
    })),
    top_up: {
      providers: [...payments],
      min: toMoney(topUp.min, currency),
      max: toMoney(topUp.max, currency),
      balance_cap: toMoney(topUp.balanceCap, currency),
    },
  }
  return { status: 200, body }
})

/** The upcoming automatic charges of an account: the next renewal of each host that it pays for and that has auto-renewal on. */
export async function upcomingCharges(app: App, db: App['db'], user_id: string): Promise<Upcoming[]> {
  const [own, ids] = await Promise.all([renewingHosts(db, user_id), hostsPaidBy(db, user_id)])
  const others = ids.length === 0 ? [] : (await hostsById(db, ids)).filter(({ auto_renew }) => auto_renew)
  const paid = new Set(
    await paidAmong(
      db,
      own.map(({ id }) => id),
    ),
  )
  return chargesOf(app, db, [...own.filter(({ id }) => !paid.has(id)), ...others], user_id)
}
