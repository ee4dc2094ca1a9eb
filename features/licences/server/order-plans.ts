import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import type { Who } from './catalogue.ts'
import * as queries from './plan-queries.ts'

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
  if (slugs.toSorted(byText).join() !== from.toSorted(byText).join()) throw badRequest('invalid', 'slugs')
  await queries.lockOrder(tx)
  const present = (await queries.allPlans(tx)).map(({ slug }) => slug)
  if (present.join() !== from.join()) return false
  if (present.join() === slugs.join()) return true
  await queries.saveOrder(tx, slugs)
  const detail = { by, order: slugs.join(' '), order_before: present.join(' ') }
  await recordAction(tx, { user_id: null, act: 'plan.ordered', ...origin, detail })
  return true
}

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
