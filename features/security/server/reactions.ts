import { transaction } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import { updateUser, devicesOf } from '#foundation/server/session/session.ts'
import { dataRequested, userDeactivated } from '#features/profile/contract.ts'
import { pageOfActivity } from './activity.ts'
import { deleteFactors } from './factor-queries.ts'
import { authenticatorsOf } from './factors.ts'
import { deletePasskeysOf } from './passkey-queries.ts'
import { deletePassword } from './queries.ts'

/** The proofs of identity are deleted with the account. A download of all data lists them, with the devices and the activity. */
export const reactions = [
  on(userDeactivated, async (_app, tx, { user_id }) => {
    await deletePassword(tx, user_id)
    await deletePasskeysOf(tx, user_id)
    await deleteFactors(tx, user_id)
    await updateUser(tx, user_id, { has_password: false, factors: [] })
  }),
  // The file holds no secrets, codes or keys: these are no personal data, and would open the account.
  on(dataRequested, async (app, _tx, { user_id, add }) => {
    add('security.json', async () => ({
      authenticators: await authenticatorsOf(app.db, user_id),
      devices: (await transaction(app, { userId: user_id }, (tx) => devicesOf(app, tx, user_id))).map(
        ({ ip, user_agent, created_at }) => ({ ip, user_agent, created_at }),
      ),
    }))
    add('activity.json', () => everyItem((cursor) => pageOfActivity(app, user_id, { limit: 100, cursor })))
  }),
]
