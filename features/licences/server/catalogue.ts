import type { Tx } from '#foundation/server/database/transaction.ts'
import { NotFound, Refused } from '#foundation/server/operator-errors.ts'
import { allPlans, insertPlan, planBySlug, updatePlan, type PlanRow } from './plan-queries.ts'

/** The operator's catalogue, retired plans too. */
export const plansOf = allPlans

/** Adds a plan at the end of the catalogue. Throws Refused if the slug is taken. `price_net` in minor units. */
export async function addPlan(tx: Tx, plan: NewPlan): Promise<void> {
  const sort = (await allPlans(tx)).length
  if (!(await insertPlan(tx, { ...plan, is_active: true, sort })))
    throw new Refused(`There is a plan '${plan.slug}' already.`)
}

export type NewPlan = Omit<PlanRow, 'is_active' | 'sort'>

type Change = Partial<Pick<PlanRow, 'name' | 'price_net' | 'is_active'>>

/**
 * Changes a plan from now on; orders keep the terms they were sold with. A plan that is not active is
 * retired: new customers cannot buy it, but a host that has it may renew it. Throws NotFound if there is none.
 */
export async function editPlan(tx: Tx, slug: string, change: Change): Promise<void> {
  const plan = await planBySlug(tx, slug)
  if (!plan) throw new NotFound(`There is no plan '${slug}'.`)
  const { name, price_net, is_active, sort } = { ...plan, ...change }
  await updatePlan(tx, slug, { name, price_net, is_active, sort })
}
