import { checkoutEnded, checkoutOpened } from '#features/sales/event-contract.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { checkoutOf, type CheckoutRow } from './checkout-queries.ts'
import { checkoutReply } from './checkout-reply.ts'
import { must } from '#foundation/must.ts'

/** Records that a checkout began or ended, with the state that it has at the end of the transaction. */
export function recordCheckout(app: App, tx: Tx, { user_id, public_id, state, host }: CheckoutRow): void {
  const kind = state === 'open' ? checkoutOpened : checkoutEnded
  const read = async () => checkoutReply(app, tx, must(await checkoutOf(tx, user_id, public_id)))
  record(tx, user_id, kind, read, { host })
}
