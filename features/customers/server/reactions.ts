import { on } from '#foundation/server/events.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { deleteNotesOf } from './queries.ts'

/** Notes about a customer go with the account. */
export const reactions = [on(userDeactivated, (_app, tx, { user_id }) => deleteNotesOf(tx, user_id))]
