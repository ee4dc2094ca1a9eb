import type { App } from '#foundation/server/app.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { findUser, type Actor } from '#foundation/server/session/session.ts'
import { areLinked } from '#features/profile/server/profile.ts'

/**
 * Throws 404 if no account has this id, and 403 `own_account` if the customer is the actor or linked to the actor (decision 065). The
 * attack is a member of staff who credits their own account, or a second account that they opened.
 */
export async function assertOther(db: App['db'], actor: Actor, user_id: string): Promise<void> {
  await assertCustomer(db, user_id)
  if (actor.user_id === user_id || (await areLinked(db, actor.user_id, user_id)))
    throw new HttpError(403, [{ code: 'own_account' }])
}

/** Throws 404 if no account has this id. */
export async function assertCustomer(db: App['db'], user_id: string): Promise<void> {
  if (!(await findUser(db, user_id))) throw notFound()
}
