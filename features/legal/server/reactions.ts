import { on } from '#foundation/server/events.ts'
import { dataRequested } from '#features/profile/contract.ts'
import { acceptancesOf } from './queries.ts'
import { withdrawalsOf } from './withdrawal-queries.ts'

// No reaction erases the evidence of a deleted account: it stays, as orders and invoices do, and holds nothing personal.
export const reactions = [
  on(dataRequested, async (app, _tx, { user_id, add }) => {
    add('acceptances.json', () => acceptancesOf(app.db, user_id))
    add('withdrawals.json', () => withdrawalsOf(app.db, user_id))
  }),
]
