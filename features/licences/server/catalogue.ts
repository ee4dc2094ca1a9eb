import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { planChanged } from './mail-templates.ts'
import * as queries from './plan-queries.ts'
import type { PlanRow } from './plan-queries.ts'

export type NewPlan = Pick<PlanRow, 'slug' | 'name' | 'term' | 'price_net'>

/** Adds a plan at the end of the catalogue. Throws 409 `slug_taken`. `price_net` in minor units. */
export async function addPlan(tx: Tx, plan: NewPlan): Promise<PlanRow> {
  const sort = (await queries.allPlans(tx)).length
  if (!(await queries.insertPlan(tx, { ...plan, is_active: true, sort })))
    throw new HttpError(409, [{ code: 'slug_taken', param: 'slug' }])
  return must(await queries.planBySlug(tx, plan.slug))
}

/** `from` is when the price begins to count: at once without it, and then a price that was planned is forgotten. */
export type PlanChange = Partial<Pick<PlanRow, 'name' | 'price_net' | 'is_active' | 'sort'>> & {
  from?: Date | undefined
  /** The version that the change was made to; another one by now throws PlanHasChanged. */
  version?: number
}

/** Somebody else changed the plan meanwhile (rule 45). */
export class PlanHasChanged extends Error {
  readonly present: PlanRow

  constructor(present: PlanRow) {
    super(`plan ${present.slug} has changed`)
    this.present = present
  }
}

type Changed = { before: PlanRow; after: PlanRow }

/**
 * Changes a plan; orders keep the terms they were sold with. A plan that is not active is retired: new customers cannot buy it,
 * but a host that has it may renew it. Throws 404 and PlanHasChanged.
 */
export async function editPlan(tx: Tx, slug: string, change: PlanChange): Promise<Changed> {
  const before = await queries.lockPlan(tx, slug)
  if (!before) throw notFound()
  if (change.version !== undefined && change.version !== before.version) throw new PlanHasChanged(before)
  const { name, is_active, sort } = { ...before, ...change }
  await queries.updatePlan(tx, slug, { name, is_active, sort, ...pricesOf(before, change) })
  return { before, after: must(await queries.lockPlan(tx, slug)) }
}

function pricesOf(
  before: PlanRow,
  { price_net, from }: PlanChange,
): Pick<PlanRow, 'price_net' | 'next_price_net' | 'next_price_at'> {
  const { next_price_net, next_price_at } = before
  if (price_net === undefined) return { price_net: before.price_net, next_price_net, next_price_at }
  if (from === undefined) return { price_net, next_price_net: null, next_price_at: null }
  return { price_net: before.price_net, next_price_net: price_net, next_price_at: from }
}

/** A member by their id, or 'command line', and from where. */
export type Who = { by: string; origin?: { ip: string; user_agent: string; request_id: string } }

/** Adds a plan for an operator, with a line in the audit. Throws 409 `slug_taken`. */
export async function sellPlan(tx: Tx, plan: NewPlan, { by, origin }: Who): Promise<PlanRow> {
  const added = await addPlan(tx, plan)
  const detail = { by, plan: plan.slug, price_net: plan.price_net.toString() }
  await recordAction(tx, { user_id: null, act: 'plan.made', ...origin, detail })
  return added
}

/** Changes a plan for an operator, with a line in the audit, and tells the owners of another price. Throws 404. */
export async function changePlan(
  app: App,
  tx: Tx,
  slug: string,
  change: PlanChange,
  { by, origin }: Who,
): Promise<PlanRow> {
  const { before, after } = await editPlan(tx, slug, change)
  const detail = { by, plan: slug, ...changedIn(before, after) }
  await recordAction(tx, { user_id: null, act: 'plan.changed', ...origin, detail })
  if (isOtherPrice(before, after)) await mailOwners(app, tx, { before, after }, by)
  return after
}

const isOtherPrice = (before: PlanRow, after: PlanRow): boolean =>
  before.price_net !== after.price_net ||
  before.next_price_net !== after.next_price_net ||
  before.next_price_at?.getTime() !== after.next_price_at?.getTime()

/** The fields that differ, as the audit keeps them. */
function changedIn(before: PlanRow, after: PlanRow): Record<string, string> {
  const [was, is] = [asTexts(before), asTexts(after)]
  return Object.fromEntries(
    Object.entries(is).flatMap(([field, text]) =>
      was[field] === text ? [] : [[field, text] as const, [`${field}_before`, was[field] ?? ''] as const],
    ),
  )
}

const asTexts = ({ name, price_net, next_price_net, next_price_at, is_active, sort }: PlanRow) =>
  ({
    ...name,
    price_net: price_net.toString(),
    next_price_net: next_price_net?.toString() ?? '',
    next_price_at: next_price_at?.toISOString() ?? '',
    is_active: String(is_active),
    sort: String(sort),
  }) as Record<string, string>

async function mailOwners(app: App, tx: Tx, { before, after }: Changed, by: string): Promise<void> {
  const isMember = by !== 'command line'
  const names = await displayNames(app, tx, isMember ? [by] : [])
  const hosts = (await queries.renewingByPlan(tx)).get(after.slug) ?? 0
  const values = {
    name: after.name,
    slug: after.slug,
    before: before.price_net,
    after: after.next_price_net ?? after.price_net,
    from: after.next_price_at,
    hosts,
    by: isMember ? names.of(by).name : null,
    currency: app.config.currency,
  }
  for (const { id, email, locale, staff_roles } of await staffMembers(tx))
    if (staff_roles.includes('owner'))
      await enqueueMail(app, tx, { user_id: id, to: email, locale, template: planChanged, values })
}
