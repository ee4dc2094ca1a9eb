import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { lockUser } from '#foundation/server/session/session.ts'
import { lockBalancesOf, moveLateBalance, unevenBalances } from '#features/finance/server/finance.ts'
import { mergedAccountIds, mergeOf } from './merge-queries.ts'

/**
 * Moves on what has come to merged accounts since their merge, or was taken from them: a refund of an old order, a late payment, a payout that came
 * back, a chargeback. Movements keep to the account of their payment for good, so this finds the money by its balance, whatever brought it
 * there, and asks nothing of the ways that orders and refunds go. The money of a pair of which one was deleted since waits for staff.
 */
export async function moveLateBalances(app: App): Promise<void> {
  const merged = await mergedAccountIds(app.db)
  for (const user_id of await unevenBalances(app.db, merged, app.config.currency))
    try {
      await transaction(app, 'system', (tx) => moveOne(app, tx, user_id))
    } catch (error) {
      if (isUnavailable(error)) throw error
      app.log.error({ err: error }, 'customers: the balance of a merged account could not be moved on')
    }
}

async function moveOne(app: App, tx: Tx, user_id: string): Promise<void> {
  const seen = await mergeOf(tx, user_id)
  if (!seen) return
  const { into_id } = seen
  const people = [user_id, into_id].toSorted()
  for (const id of people) if (!(await lockUser(tx, id))?.is_active) return
  // The merge may have been undone while this transaction waited for the locks.
  if ((await mergeOf(tx, user_id))?.id !== seen.id) return
  await lockBalancesOf(app, tx, people)
  await moveLateBalance(app, tx, { from: user_id, to: into_id })
}
