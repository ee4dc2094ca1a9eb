import { on } from '#foundation/server/events.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { expireAllOf } from './top-up-queries.ts'

/**
 * Nobody pays in for an account that is gone. Its ledger stays, for the books must add up, and names nobody; so does what
 * was left on the balance, which the operator owes to whom the transactions' invoices name.
 */
export const reactions = [on(userDeactivated, (_app, tx, { user_id }) => expireAllOf(tx, user_id))]
