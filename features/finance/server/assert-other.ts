import type { App } from '#foundation/server/app.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { findUser, type Actor } from '#foundation/server/session/session.ts'
import { assertNotOwn } from '#features/profile/server/profile.ts'

/**
 * Throws 404 if no account has this id, and 403 `own_account` if the customer is the actor or linked to the actor (`assertNotOwn`).
 */
export async function assertOther(db: App['db'], actor: Actor, user_id: string): Promise<void> {
  await assertCustomer(db, user_id)
  await assertNotOwn(db, actor.user_id, user_id)
}

/** Throws 404 if no account has this id. */
export async function assertCustomer(db: App['db'], user_id: string): Promise<void> {
  if ((await findUser(db, user_id))?.kind !== 'person') throw notFound()
}
