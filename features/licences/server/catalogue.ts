import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import {
  isRise,
  mayReachRenewals,
  pricesAhead,
  renewalsFrom,
  type DatedPrice,
} from '#features/licences/rules.ts'
import { assertEdition, changedIn, type Who } from './editions.ts'
import * as queries from './plan-queries.ts'
import type { PlanRow } from './plan-queries.ts'
import { HasChanged } from './has-changed.ts'
import { announceRise, mailOwners, type SetPrice } from './price-rise.ts'

export type NewPlan = Pick<PlanRow, 'slug' | 'name' | 'term' | 'price_net'> & {
  /** The edition of the plan; without it the plan is an edition of its own. */
  edition?: string | undefined
}

/** Adds a plan at the end of the catalogue. Throws 409 `slug_taken`, 400 `unknown_edition`. `price_net` in minor units. */
export async function addPlan(tx: Tx, plan: NewPlan): Promise<PlanRow> {
  await assertEdition(tx, plan.edition)
  const sort = (await queries.allPlans(tx)).length
  if (!(await queries.insertPlan(tx, { ...plan, is_active: true, sort })))
    throw new HttpError(409, [{ code: 'slug_taken', param: 'slug' }])
  return must(await queries.planBySlug(tx, plan.slug))
}

/**
 * `from` is the time from which orders pay the price (default: at once); prices planned for a later time are replaced. `renewals_from` is the
 * time from which renewals pay it (default: as soon as they may, `renewalsFrom`).
 */
export type PlanChange = Partial<Pick<PlanRow, 'name' | 'price_net' | 'is_active' | 'sort' | 'edition'>> & {
  from?: Date | undefined
  renewals_from?: Date | undefined
  /** The version of the plan that was edited; PlanHasChanged is thrown if the plan has another version by now. */
  version?: number
}

export class PlanHasChanged extends HasChanged<PlanRow> {}

/** `price` is the price that was set; undefined if the change sets none. */
type Changed = { before: PlanRow; after: PlanRow; price?: SetPrice | undefined }

/**
 * Changes a plan; orders keep the terms they were sold with. A plan that is not active is retired: new customers cannot buy it,
 * but a host that has it may renew it. Throws 404, PlanHasChanged, 400 `unknown_edition`, and 400 `too_soon`@renewals_from for a
 * rise that would reach renewals earlier than 30 days after orders.
 */
export async function editPlan(tx: Tx, slug: string, change: PlanChange): Promise<Changed> {
  const before = await queries.lockPlan(tx, slug)
  if (!before) throw notFound()
  if (change.version !== undefined && change.version !== before.version) throw new PlanHasChanged(before)
  if (change.edition !== before.edition) await assertEdition(tx, change.edition, before.product.slug)
  const price = await setPrice(tx, before, change)
  const { name, is_active, sort, edition } = { ...before, ...change }
  await queries.updatePlan(tx, slug, { name, is_active, sort, edition })
  return { before, after: must(await queries.planBySlug(tx, slug)), price }
}

async function setPrice(
  tx: Tx,
  { slug, prices, price_net }: PlanRow,
  { price_net: net, from, renewals_from }: PlanChange,
): Promise<SetPrice | undefined> {
  if (net === undefined) return undefined
  const now = await queries.timeOf(tx)
  // The new price equals the present one, and replaces no planned price.
  if (net === price_net && from === undefined && pricesAhead(prices, now).length === 0) return undefined
  const from_at = from ?? now
  const price = { net, from_at, renewals_from_at: renewals_from ?? renewalsFrom(prices, net, from_at) }
  if (!mayReachRenewals(prices, price)) throw badRequest('too_soon', 'renewals_from')
  const id = await queries.insertPrice(tx, slug, price)
  return { ...price, id, isRise: isRise(prices, net, price.renewals_from_at), atOnce: from === undefined }
}

/** Adds a plan for an operator, with a line in the audit. Throws 409 `slug_taken`. */
export async function sellPlan(tx: Tx, plan: NewPlan, { by, origin }: Who): Promise<PlanRow> {
  const added = await addPlan(tx, plan)
  const detail = { by, plan: plan.slug, price_net: plan.price_net.toString() }
  await recordAction(tx, { user_id: null, act: 'plan.made', ...origin, detail })
  return added
}

/** Changes a plan, with a line in the audit; mails a new price to staff owners, and a rise to customers with auto-renewal. Throws as `editPlan`. */
export async function changePlan(
  app: App,
  tx: Tx,
  slug: string,
  change: PlanChange,
  { by, origin }: Who,
): Promise<PlanRow> {
  const changed = await editPlan(tx, slug, change)
  const { before, after, price } = changed
  const detail = {
    by,
    plan: slug,
    ...changedIn(asTexts(before), asTexts(after)),
    ...(price && priceDetail(before, price)),
  }
  await recordAction(tx, { user_id: null, act: 'plan.changed', ...origin, detail })
  if (price) {
    const hosts = (await queries.renewingByPlan(tx)).get(slug) ?? 0
    await mailOwners(app, tx, { before, after, price, hosts }, by)
  }
  if (price?.isRise) announceRise(tx, { plan: slug, price: price.id })
  return after
}

/**
 * Puts the plans into another order, with a line in the audit. Returns false, with nothing written, if they are not in the order `from` any
 * more. The versions of the plans stay, because another order does not conflict with an edit of a plan. Throws 400 unless `slugs` are the
 * same plans as `from`.
 */
export async function orderPlans(
  tx: Tx,
  { slugs, from }: { slugs: readonly string[]; from: readonly string[] },
  { by, origin }: Who,
): Promise<boolean> {
  if (slugs.toSorted().join() !== from.toSorted().join()) throw badRequest('invalid', 'slugs')
  await queries.lockOrder(tx)
  const present = (await queries.allPlans(tx)).map(({ slug }) => slug)
  if (present.join() !== from.join()) return false
  if (present.join() === slugs.join()) return true
  await queries.saveOrder(tx, slugs)
  const detail = { by, order: slugs.join(' '), order_before: present.join(' ') }
  await recordAction(tx, { user_id: null, act: 'plan.ordered', ...origin, detail })
  return true
}

const priceDetail = ({ price_net }: PlanRow, { net, from_at, renewals_from_at }: DatedPrice) => ({
  price_net: net.toString(),
  price_net_before: price_net.toString(),
  from: from_at.toISOString(),
  renewals_from: renewals_from_at.toISOString(),
})

const asTexts = ({ name, edition, is_active, sort }: PlanRow) =>
  ({ ...name, edition, is_active: String(is_active), sort: String(sort) }) as Record<string, string>
