import { billingDetails } from '#features/profile/server/profile.ts'
import { missingInAddress, needsAddress } from '#features/invoices/rules.ts'
import { namelessUpTo } from './nameless.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'

/**
 * Refuses a sale of the gross amount `total` whose invoice would lack who sells or who buys, as an issued invoice never changes: with 409
 * `seller_incomplete`, or `billing_address_required` if it would have to name a buyer whose address is not known.
 */
export async function requireParties(
  app: App,
  tx: Tx,
  { user_id, total }: { user_id: string; total: bigint },
): Promise<void> {
  if (total > 0n) requireSeller(app)
  const details = await billingDetails(tx, user_id)
  if (!details || !needsAddress(details, total, namelessUpTo(app.config.company, app.config.currency))) return
  if (missingInAddress(details).length > 0) throw new HttpError(409, [{ code: 'billing_address_required' }])
}

/** Refuses with 409 `seller_incomplete` what names the seller, while owners have not said who that is. */
export function requireSeller({ config }: App): void {
  if (config.company.isIncomplete) throw new HttpError(409, [{ code: 'seller_incomplete' }])
}
