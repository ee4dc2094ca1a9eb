import { toMoney } from '#foundation/money.ts'
import { changedTo } from '#foundation/versions.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as licences from '#features/licences/server/licences.ts'
import { pricesAhead, renewalsFrom } from '#features/licences/rules.ts'
import * as contract from '#features/catalogue/contract.ts'
import { savedOrPresent } from './saved.ts'

/** Answers `GET /api/staff/plans/`. */
export const list = handler(contract.listCatalogue, async ({ app }) => {
  return { status: 200, body: { items: await repliesNow(app) } }
})

/** Answers `POST /api/staff/plans/`. */
export const add = handler(contract.addPlan, async ({ app, actor, caller, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const given = { ...body, price_net: BigInt(body.price_net) }
  const plan = await transaction(app, 'system', (tx) => licences.sellPlan(tx, given, who))
  return { status: 201, body: planReply(app, plan, NOBODY) }
})

/** Answers `PATCH /api/staff/plans/{slug}/`. */
export const change = handler(contract.changePlan, async ({ app, actor, caller, params, body }) => {
  const { name, edition, price_net, from, renewals_from, is_active, sort, version } = body
  const fields = {
    version,
    ...(name && { name }),
    ...(edition !== undefined && { edition }),
    ...(price_net !== undefined && {
      price_net: BigInt(price_net),
      from: laterOnly(from),
      renewals_from: timeFrom(renewals_from),
    }),
    ...(is_active !== undefined && { is_active }),
    ...(sort !== undefined && { sort }),
  }
  const who = { by: actor.user_id, origin: originOf(caller) }
  const saving = transaction(app, 'system', (tx) => licences.changePlan(app, tx, params.slug, fields, who))
  return savedOrPresent(saving, licences.PlanHasChanged, async (row) =>
    planReply(app, row, await stateOf(app.db)),
  )
})

/** Answers `PUT /api/staff/plan-order/`. */
export const order = handler(contract.orderPlans, async ({ app, actor, caller, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const isOrdered = await transaction(app, 'system', (tx) => licences.orderPlans(tx, body, who))
  const items = await repliesNow(app)
  return isOrdered ? { status: 200, body: { items } } : changedTo({ items })
})

const timeFrom = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)

/** Returns the time if it is ahead; otherwise undefined, with which a price counts at once. */
const laterOnly = (from: string | undefined): Date | undefined =>
  from !== undefined && Date.parse(from) > Date.now() ? new Date(from) : undefined

/** Answers `GET /api/staff/plans/{slug}/renewals/`. */
export const preview = handler(contract.previewPrice, async ({ app, params, query }) => {
  const plan = (await licences.allPlans(app.db)).find(({ slug }) => slug === params.slug)
  if (!plan) throw notFound()
  const net = BigInt(query.price_net)
  const from_at = laterOnly(query.from) ?? new Date()
  const renewals_from_at = timeFrom(query.renewals_from) ?? renewalsFrom(plan.prices, net, from_at)
  const renewals_from = renewals_from_at > from_at ? renewals_from_at.toISOString() : null
  const rows = await licences.renewalsAt(app.db, plan.slug, { net, renewals_from_at })
  const items = rows.map((row) => ({ ...row, price_net: toMoney(row.price_net, app.config.currency) }))
  return { status: 200, body: { items, renewals_from } }
})

/** The servers that renew plans by themselves, and the moves to other plans, by the plan. */
type State = { renewing: ReadonlyMap<string, number>; moves: ReadonlyMap<string, licences.PlanMove> }

const NOBODY: State = { renewing: new Map(), moves: new Map() }

const stateOf = async (db: App['db']): Promise<State> => ({
  renewing: await licences.renewingByPlan(db),
  moves: await licences.movesByPlan(db),
})

/** Returns all plans as they are now. */
export async function repliesNow(app: App): Promise<contract.CataloguePlan[]> {
  const state = await stateOf(app.db)
  return (await licences.allPlans(app.db)).map((plan) => planReply(app, plan, state))
}

function planReply(
  { config: { currency } }: App,
  plan: licences.PlanRow,
  { renewing, moves }: State,
): contract.CataloguePlan {
  const move = moves.get(plan.slug)
  const { slug, edition, name, term, is_active, sort, version, prices } = plan
  return {
    slug,
    edition,
    name,
    term,
    price_net: toMoney(plan.price_net, currency),
    renewal_price_net: toMoney(plan.renewal_net, currency),
    next_prices: pricesAhead(prices, new Date()).map(({ net, from_at, renewals_from_at }) => ({
      price_net: toMoney(net, currency),
      from: from_at.toISOString(),
      renewals_from: renewals_from_at.toISOString(),
    })),
    is_active,
    sort,
    renewing: renewing.get(slug) ?? 0,
    moves: move ? { to: move.to_plan, from: move.counts_from.toISOString() } : null,
    version,
  }
}
