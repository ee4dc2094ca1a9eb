import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/profile/contract.ts'
import { setAccessReview } from './queries.ts'

/**
 * After a reset by mail the customer is shown, at the next sign-in, all other ways into the account (rule
 * 38): an intruder may have added an address, a passkey or an authenticator app of their own.
 */
export const askForReview = (tx: Tx, user_id: string) => setAccessReview(tx, user_id, true)

/**
 * True if the session signed in by password, which the reset has just changed. The attack is an intruder's passkey, left in the
 * account, that confirms the review in the owner's place.
 */
export const isByPassword = ({ methods }: Pick<Actor, 'methods'>): boolean =>
  methods.some(({ method }) => method === 'password')

/** Answers `DELETE /api/users/access-review/`: the customer says that all ways into the account are theirs. */
export const finishAccessReview = handler(contract.finishAccessReview, async ({ app, actor, caller }) => {
  if (!isByPassword(actor)) throw new HttpError(403, [{ code: 'reauthentication_required' }])
  const { user_id } = actor
  const { ip, user_agent } = caller
  await transaction(app, { userId: user_id }, async (tx) => {
    await setAccessReview(tx, user_id, false)
    await recordAction(tx, { user_id, act: 'account.access_reviewed', ip, user_agent })
    await publish(tx, user_id, { type: contract.PROFILE_CHANGED })
  })
  return { status: 204 }
})
