import type { App } from '#foundation/server/app.ts'
import { byThreshold } from './by-threshold.ts'
import { databaseTime } from './queries.ts'
import type { VatDecision } from './vat-decision.ts'
import { decideVat } from './vat.ts'

/**
 * Returns the VAT that a consumer at this address will pay, before there is an account: as if the payment will come from there, too. If it
 * comes from elsewhere, and no network agrees with the address either, the order is refused for its price (decision 201).
 */
export async function vatForStranger(
  app: App,
  db: App['db'],
  { country, zip = '', city = '' }: { country: string; zip?: string; city?: string },
): Promise<VatDecision> {
  const at = await databaseTime(db)
  const customer = { country, zip, city, vat_id: '' }
  return byThreshold(app, db, { at }, (seller) => decideVat(seller, customer, at))
}
