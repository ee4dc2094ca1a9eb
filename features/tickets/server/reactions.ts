import { on } from '#foundation/server/events.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { eraseTicketsOf } from './queries.ts'

/** What a customer said goes with the account. */
export const reactions = [on(userDeactivated, (_app, tx, { user_id }) => eraseTicketsOf(tx, user_id))]
