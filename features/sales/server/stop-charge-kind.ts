import { CHARGE_SETTLED_S } from '#features/methods/server/methods.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import type { CheckoutRow } from './checkout-queries.ts'

export const STOP_CHARGE = jobKind('stop_charge_of_checkout', 'money')

/**
 * Has the provider asked what became of the charge of a checkout that has ended without its money, if a limit counts it: once no call for the charge
 * can be under way any more.
 */
export function stopCharge(tx: Tx, { user_id, public_id, counted }: CheckoutRow): void {
  if (counted === null) return
  const payload = { user_id, checkout: public_id }
  enqueue(tx, STOP_CHARGE, payload, { key: `stop-charge:${public_id}`, after_s: CHARGE_SETTLED_S })
}
