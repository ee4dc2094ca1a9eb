import { on } from '#foundation/server/events.ts'
import { describeUser } from '#foundation/server/session/session.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { deleteFactors } from './factor-queries.ts'
import { deletePasskeysOf } from './passkey-queries.ts'
import { deletePassword } from './queries.ts'

/** With the account goes everything it could be proven with. */
export const reactions = [
  on(userDeactivated, async (_app, tx, { user_id }) => {
    await deletePassword(tx, user_id)
    await deletePasskeysOf(tx, user_id)
    await deleteFactors(tx, user_id)
    await describeUser(tx, user_id, { has_password: false, factors: [] })
  }),
]
