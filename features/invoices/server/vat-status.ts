import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { billingDetails } from '#features/profile/server/profile.ts'
import * as contract from '#features/invoices/contract.ts'
import { databaseTime } from './queries.ts'
import * as evidence from './vat-evidence-queries.ts'
import { vatFor } from './vat-of-customer.ts'
import { inForce, isAskable, isFresh, needsProof, type Customer } from './vat.ts'

/** Answers `GET /api/invoices/vat-status/`. */
export const getStatus = handler(contract.getVatStatus, async ({ app, actor }) => ({
  status: 200,
  body: await vatStatusOf(app, app.db, actor.user_id),
}))

/** The effect of a customer's VAT id on the VAT of an order at this moment. */
export async function vatStatusOf(app: App, db: App['db'], user_id: string): Promise<contract.VatStatus> {
  const { company } = app.config
  const { country = '', zip = '', city = '', vat_id = '' } = (await billingDetails(db, user_id)) ?? {}
  const customer = { country, zip, city, vat_id }
  const nothing = { vat_id, asked_since: null, checked_at: null }
  // A small business that taxes this customer as at home charges no VAT: the VAT id changes no price.
  const isNeeded = needsProof(company, customer) && (await vatFor(app, db, user_id)).kind !== 'small_business'
  if (!isNeeded) return { ...nothing, state: 'not_needed' }
  const [{ check, override }, { since }, at] = [
    await evidence.proofOf(db, { user_id, vat_id }),
    await evidence.askingOf(db, { user_id, vat_id }),
    await databaseTime(db),
  ]
  const status = {
    vat_id,
    asked_since: since?.toISOString() ?? null,
    checked_at: check?.answered_at.toISOString() ?? null,
  }
  return { ...status, state: stateOf(app, customer, { check, override }, at) }
}

/** The state of a VAT id that needs proof. */
export function stateOf(
  { config: { company, vatIds } }: Pick<App, 'config'>,
  customer: Required<Customer>,
  { check, override }: evidence.VatProof,
  at: Date,
): contract.VatStatus['state'] {
  const decided = inForce(override, customer.vat_id, at)
  if (decided) return decided.treatment === 'business' ? 'verified' : 'consumer'
  if (!isAskable(company, customer)) return 'other_country'
  if (isFresh(check, at)) return 'verified'
  if (check?.verdict === 'invalid') return 'invalid'
  return vatIds.name === 'off' ? 'waiting' : 'asking'
}
