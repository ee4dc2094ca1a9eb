import { billingDetails } from '#features/profile/server/profile.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { checkVatId } from './check-vat-id.ts'
import { vatStatusOf } from './vat-status.ts'
import { isAskable } from './vat.ts'

/**
 * Runs `hostdesk vat check`: asks the authority about a customer's VAT id at once, keeps the answer, and returns the state of the VAT id.
 * Throws 404, and 409 `no_vat_id_to_check`.
 */
export async function checkByCommand(app: App, user_id: string) {
  const details = await billingDetails(app.db, user_id)
  if (!details) throw notFound()
  if (!isAskable(app.config.company, details)) throw new HttpError(409, [{ code: 'no_vat_id_to_check' }])
  await checkVatId(app, { user_id })
  return vatStatusOf(app, app.db, user_id)
}
