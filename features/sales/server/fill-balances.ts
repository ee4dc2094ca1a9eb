import { lockBalanceOf } from '#features/finance/server/finance.ts'
import { accountsDue, fillBalance, lookLater, lookNow } from '#features/auto-top-ups/server/auto-top-ups.ts'
import { payersOf } from '#features/payers/server/payers.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { upcomingCharges } from './charges.ts'

const AT_ONCE = 100

/**
 * Looks at the balances that fill themselves and are due for a look, and begins the charges that they need (decision 193). Sales knows what
 * will be charged, and asks the feature above it, which knows how. An account that fails does not keep the others waiting.
 */
export async function fillBalances(app: App): Promise<void> {
  for (;;) {
    const due = await accountsDue(app.db, AT_ONCE)
    for (const user_id of due) await fillOne(app, user_id)
    if (due.length < AT_ONCE) return
  }
}

async function fillOne(app: App, user_id: string): Promise<void> {
  try {
    await transaction(app, 'system', async (tx) => {
      const balance = await lockBalanceOf(app, tx, user_id)
      await fillBalance(app, tx, user_id, { balance, upcoming: () => upcomingCharges(app, tx, user_id) })
    })
  } catch (error) {
    if (isUnavailable(error)) throw error
    app.log.error({ err: error }, 'sales: a balance could not be looked at')
    await transaction(app, 'system', (tx) => lookLater(tx, user_id))
  }
}

/** A renewal was refused for lack of money: the balance of whoever pays for it is looked at now. */
export async function fillForRenewal(tx: Tx, host: { id: bigint; user_id: string }): Promise<void> {
  const [payer] = await payersOf(tx, [host.id])
  await lookNow(tx, payer?.payer_id ?? host.user_id)
}
