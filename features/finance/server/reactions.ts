import { on } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { balanceForfeited, userDeactivated } from '#features/profile/contract.ts'
import { assertForfeited, keepLeftMoney } from './forfeit.ts'
import { expireAllOf } from './top-up-queries.ts'
import { pageOfTransactions } from './transactions.ts'

/** The pending top-ups of a deleted account expire, so that nobody pays into it. Its ledger stays, for the books, and names nobody. */
export const reactions = [
  on(userDeactivated, async (app, tx, { user_id }) => {
    await expireAllOf(tx, user_id)
    await keepLeftMoney(app, tx, user_id)
  }),
  on(balanceForfeited, assertForfeited),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'transactions.json': () => everyItem((cursor) => pageOfTransactions(app, user_id, { limit: 100, cursor })),
})
