import { eraseEvents } from '#foundation/server/account-events/account-events.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import { hardlyWaiting } from '#foundation/server/database/hardly-waiting.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { forgetAnswers } from '#foundation/server/idempotency/with-idempotency-key.ts'
import {
  setStaffRoles,
  lockUserForGood,
  updateUser,
  endSessionsOf,
} from '#foundation/server/session/session.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { customerDeleted } from '#features/profile/event-contract.ts'
import { deleteExportsOf } from './export-queries.ts'
import { erasePreferences } from './mail-preference-queries.ts'
import { erase } from './queries.ts'

/**
 * Erases the person and ends all sessions; the bare account row stays for rows that refer to it. Called with
 * the row locked, in a transaction of the system. From the beginning no call for the account writes rows (`transaction`). Its servers, agreements and grants are locked behind it,
 * and other acts lock them before they refer to the account, so nothing here waits for a lock.
 */
export const eraseAccount = (app: App, tx: Tx, user_id: string): Promise<void> =>
  hardlyWaiting(tx, async () => {
    await lockUserForGood(tx, user_id)
    await emit(app, tx, userDeactivated, { user_id })
    await eraseEvents(tx, user_id)
    record(tx, user_id, customerDeleted, { id: user_id })
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
  })
