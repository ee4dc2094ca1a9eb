import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { paymentFailed, topUpRefused } from '#features/finance/contract.ts'
import { recordTopUp } from './record-events.ts'
import { lockTopUp, setStatus, type TopUpRow } from './top-up-queries.ts'

/** Ends a payment that has failed, and tells whoever waits for it. The caller has locked it. */
export async function failPayment(app: App, tx: Tx, topUp: TopUpRow): Promise<void> {
  const { id, user_id, public_id: top_up, for_checkout: isOrder } = topUp
  await setStatus(tx, id, 'failed')
  recordTopUp(app, tx, topUp, 'failed')
  if (isOrder) await emit(app, tx, paymentFailed, { user_id, top_up })
  await emit(app, tx, topUpRefused, { user_id, top_up, isOrder })
}

/**
 * Ends a payment as the event of its failure would, for a charge of which no event will tell. Money that comes all the same counts. One that has
 * ended stays as it is.
 */
export async function endUncharged(app: App, tx: Tx, id: bigint): Promise<void> {
  const topUp = await lockTopUp(tx, id)
  if (topUp.status === 'pending') await failPayment(app, tx, topUp)
}
