import * as contract from '#features/catalogue/contract.ts'
import { judgeMove, planMove, takeMoveBack } from '#features/sales/server/sales.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { repliesNow } from './catalogue.ts'

const wanted = (from_plan: string, { to, from }: { to: string; from?: string | undefined }) => ({
  from_plan,
  to_plan: to,
  counts_from: from === undefined ? undefined : new Date(from),
})

/** Answers `GET /api/staff/plans/{slug}/move/`. */
export const previewMove = handler(contract.previewPlanMove, async ({ app, params, query }) => {
  const { before, net, counts_from, hosts, customers } = await judgeMove(app.db, wanted(params.slug, query))
  const money = (amount: bigint) => toMoney(amount, app.config.currency)
  const prices = { price_net_before: money(before.renewal_net), price_net: money(net) }
  return { status: 200, body: { hosts, customers, ...prices, from: counts_from.toISOString() } }
})

/** Answers `POST /api/staff/plans/{slug}/move/`. */
export const moveCustomers = handler(
  contract.movePlanCustomers,
  async ({ app, actor, caller, params, body }) => {
    const who = { by: actor.user_id, origin: originOf(caller) }
    await transaction(app, 'system', (tx) => planMove(tx, wanted(params.slug, body), who))
    return { status: 201, body: await planNow(app, params.slug) }
  },
)

/** Answers `DELETE /api/staff/plans/{slug}/move/`. */
export const undoMove = handler(contract.undoPlanMove, async ({ app, actor, caller, params }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  await transaction(app, 'system', (tx) => takeMoveBack(tx, params.slug, who))
  return { status: 200, body: await planNow(app, params.slug) }
})

const planNow = async (app: App, wanted: string): Promise<contract.CataloguePlan> =>
  must((await repliesNow(app)).find(({ slug }) => slug === wanted))
