import { lockTopUp } from '#features/finance/server/finance.ts'
import { endCharge } from '#features/methods/server/methods.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { job } from '#foundation/server/jobs/jobs.ts'
import { uncount } from './checkout-money.ts'
import { checkoutOf, lockCheckout } from './checkout-queries.ts'
import { STOP_CHARGE } from './stop-charge-kind.ts'

/**
 * Takes the charge of a cancelled or expired checkout off the limits of its helper, if its provider has made none, has declined it, or ends it now
 * because it waits for its holder (decision 231). A charge that is under way is left to the provider's event.
 */
export const stopChargeOf = job<{ user_id: string; checkout: string }>(
  STOP_CHARGE,
  async (app, { user_id, checkout: id }) => {
    const found = await checkoutOf(app.db, user_id, id)
    if (!found || found.counted === null || (await endCharge(app, user_id, id)) !== 'over') return
    await transaction(app, 'system', async (tx) => {
      const { status } = await lockTopUp(tx, found.top_up_id)
      const checkout = await lockCheckout(tx, id)
      if (checkout && unpaid.includes(status)) await uncount(app, tx, checkout)
    })
  },
)

const unpaid: readonly string[] = ['pending', 'cancelled', 'expired', 'failed']
