import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { lockUser, type UserRow } from '#foundation/server/session/session.ts'
import { assertNotOwn } from '#features/profile/server/profile.ts'
import type { Who } from './who.ts'

/**
 * Locks and returns the account that somebody acts on, so that actions on one customer take turns. Throws 403 for a member's own account
 * and an account linked with it (decision 065), and for the account of a member of staff, unless `ownersMay` is set and an owner or
 * the command line acts. The attack is a member of support who opens the account of an owner.
 */
export async function lockCustomer(
  tx: Tx,
  { actor }: Pick<Who, 'actor'>,
  user_id: string,
  { ownersMay = false } = {},
): Promise<UserRow> {
  const customer = await lockUser(tx, user_id)
  if (customer?.kind !== 'person') throw notFound()
  if (!customer.is_active) throw new HttpError(409, [{ code: 'deactivated' }])
  if (actor) await assertNotOwn(tx, actor.user_id, user_id)
  if (customer.is_staff && !(ownersMay && (!actor || actor.staff_roles.includes('owner'))))
    throw new HttpError(403, [{ code: 'not_allowed' }])
  return customer
}
