import { toMoney } from '#foundation/money.ts'
import { changedTo } from '#foundation/versions.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as licences from '#features/licences/server/licences.ts'
import * as contract from '#features/catalogue/contract.ts'

/** Answers `GET /api/staff/plans/`. */
export const list = handler(contract.listCatalogue, async ({ app }) => {
  const plans = await licences.allPlans(app.db)
  const renewing = await licences.renewingByPlan(app.db)
  return { status: 200, body: { items: plans.map((plan) => planReply(app, plan, renewing)) } }
})

/** Answers `POST /api/staff/plans/`. */
export const add = handler(contract.addPlan, async ({ app, actor, caller, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const given = { ...body, price_net: BigInt(body.price_net) }
  const plan = await transaction(app, 'system', (tx) => licences.sellPlan(tx, given, who))
  return { status: 201, body: planReply(app, plan, new Map()) }
})

/** Answers `PATCH /api/staff/plans/{slug}/`. */
export const change = handler(contract.changePlan, async ({ app, actor, caller, params, body }) => {
  const { name, price_net, from, is_active, sort, version } = body
  const fields = {
    version,
    ...(name && { name }),
    ...(price_net !== undefined && { price_net: BigInt(price_net), from: laterOnly(from) }),
    ...(is_active !== undefined && { is_active }),
    ...(sort !== undefined && { sort }),
  }
  const who = { by: actor.user_id, origin: originOf(caller) }
  const saving = transaction(app, 'system', (tx) => licences.changePlan(app, tx, params.slug, fields, who))
  const saved = await saving.catch((error: unknown) => {
    if (error instanceof licences.PlanHasChanged) return error
    throw error
  })
  const renewing = await licences.renewingByPlan(app.db)
  if (saved instanceof licences.PlanHasChanged) return changedTo(planReply(app, saved.present, renewing))
  return { status: 200, body: planReply(app, saved, renewing) }
})

/** Answers `PUT /api/staff/plan-order/`. */
export const order = handler(contract.orderPlans, async ({ app, actor, caller, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const isOrdered = await transaction(app, 'system', (tx) => licences.orderPlans(tx, body, who))
  const plans = await licences.allPlans(app.db)
  const renewing = await licences.renewingByPlan(app.db)
  const items = plans.map((plan) => planReply(app, plan, renewing))
  return isOrdered ? { status: 200, body: { items } } : changedTo({ items })
})

/** A time that has come is now. */
const laterOnly = (from: string | undefined): Date | undefined =>
  from !== undefined && Date.parse(from) > Date.now() ? new Date(from) : undefined

/** Answers `GET /api/staff/plans/{slug}/renewals/`. */
export const preview = handler(contract.previewPrice, async ({ app, params, query }) => {
  const plan = (await licences.allPlans(app.db)).find(({ slug }) => slug === params.slug)
  if (!plan) throw notFound()
  const next = { price_net: BigInt(query.price_net), at: laterOnly(query.from) ?? new Date(0) }
  const rows = await licences.renewalsAt(app.db, plan, next)
  const items = rows.map((row) => ({ ...row, price_net: toMoney(row.price_net, app.config.currency) }))
  return { status: 200, body: { items } }
})

function planReply(
  { config: { currency } }: App,
  { slug, name, term, is_active, sort, version, ...plan }: licences.PlanRow,
  renewing: ReadonlyMap<string, number>,
): contract.CataloguePlan {
  const { price_net, next_price_net, next_price_at } = plan
  return {
    slug,
    name,
    term,
    price_net: toMoney(price_net, currency),
    next_price:
      next_price_net === null || next_price_at === null
        ? null
        : { price_net: toMoney(next_price_net, currency), from: next_price_at.toISOString() },
    is_active,
    sort,
    renewing: renewing.get(slug) ?? 0,
    version,
  }
}
