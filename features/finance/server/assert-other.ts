import type { App } from '#foundation/server/app.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { findUser, type Actor } from '#foundation/server/session/session.ts'
import { areLinked } from '#features/profile/server/profile.ts'

/**
 * The attack is a member of staff who credits their own account, or one that they opened beside it: actions for others are
 * refused for oneself (decision 065).
 */
export async function assertOther(db: App['db'], actor: Actor, user_id: string): Promise<void> {
  await assertCustomer(db, user_id)
  if (actor.user_id === user_id || (await areLinked(db, actor.user_id, user_id)))
    throw new HttpError(403, [{ code: 'own_account' }])
}

/** Throws 404 where there is no such account. */
export async function assertCustomer(db: App['db'], user_id: string): Promise<void> {
  if (!(await findUser(db, user_id))) throw notFound()
}
