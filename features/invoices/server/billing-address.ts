import { billingDetails } from '#features/profile/server/profile.ts'
import { missingInAddress, needsAddress } from '#features/invoices/rules.ts'
import { namelessUpTo } from './nameless.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'

/**
 * Refuses a sale of the gross amount `total` with 409 `billing_address_required` if its invoice would have to
 * name a buyer whose address is not known: an issued invoice never changes, so the address must be there
 * before it.
 */
export async function requireBillingAddress(
  app: App,
  tx: Tx,
  { user_id, total }: { user_id: string; total: bigint },
): Promise<void> {
  const details = await billingDetails(tx, user_id)
  if (!details || !needsAddress(details, total, namelessUpTo(app.config.company, app.config.currency))) return
  if (missingInAddress(details).length > 0) throw new HttpError(409, [{ code: 'billing_address_required' }])
}
