import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { forgetAnswers } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { setStaffRoles, updateUser, endSessionsOf } from '#foundation/server/session/session.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { deleteExportsOf } from './export-queries.ts'
import { erasePreferences } from './mail-preference-queries.ts'
import { erase } from './queries.ts'

/**
 * Erases the person and ends all sessions; the bare account row stays for rows that refer to it. Called with
 * the row locked.
 */
export async function eraseAccount(app: App, tx: Tx, user_id: string): Promise<void> {
  await emit(app, tx, userDeactivated, { user_id })
  await erase(tx, user_id)
  await erasePreferences(tx, user_id)
  await deleteExportsOf(tx, user_id)
  await forgetAnswers(tx, user_id)
  await setStaffRoles(tx, user_id, [])
  await updateUser(tx, user_id, {
    is_active: false,
    time_zone: null,
    email: `${user_id}@deleted.invalid`,
  })
  await endSessionsOf(tx, user_id)
}
