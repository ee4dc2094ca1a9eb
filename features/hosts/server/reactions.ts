import { on } from '#foundation/server/events.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { deleteHostsOf } from './hosts.ts'

/** With the account go its hosts, their tokens and what they told of themselves. */
export const reactions = [on(userDeactivated, (app, tx, { user_id }) => deleteHostsOf(app, tx, user_id))]
