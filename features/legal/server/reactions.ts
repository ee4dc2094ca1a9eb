import { on } from '#foundation/server/events.ts'
import { dataRequested } from '#features/profile/contract.ts'
import { acceptancesOf } from './queries.ts'
import { withdrawalsOf } from './withdrawal-queries.ts'

// After the deletion of an account the evidence stays, as its orders and invoices do; it holds nothing personal.
export const reactions = [
  on(dataRequested, async (app, _tx, { user_id, add }) => {
    add('acceptances.json', () => acceptancesOf(app.db, user_id))
    add('withdrawals.json', () => withdrawalsOf(app.db, user_id))
  }),
]
