import { on } from '#foundation/server/events.ts'
import { signupInvited } from '#features/auth/contract.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { leave } from './give-roles.ts'
import { isInvited } from './invite.ts'
import { deleteAcceptedBy } from './queries.ts'

export const reactions = [
  on(signupInvited, async (_app, tx, { email, key, allow }) => {
    if (await isInvited(tx, email, key)) allow()
  }),
  on(userDeactivated, async (app, tx, { user_id }) => {
    await leave(app, tx, user_id)
    await deleteAcceptedBy(tx, user_id)
  }),
]
