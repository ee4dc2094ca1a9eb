import type { App } from '#foundation/server/app.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { isSmallBusinessOn } from './small-business.ts'
import { leftBelowThreshold } from './threshold.ts'
import type { Seller, VatDecision } from './vat-decision.ts'

/** Decides about a seller who taxes consumers elsewhere in the EU at home while such sales are few, and about any other seller. */
export async function byThreshold(
  app: App,
  db: App['db'],
  sold: { at: Date; until?: Date },
  decide: (seller: Seller) => VatDecision,
): Promise<VatDecision> {
  const seller = sellerOn(app, sold.at)
  const atHome = app.config.company.usesThreshold || seller.isSmallBusiness === true
  const there = decide(seller)
  // Only a consumer elsewhere in the EU is asked for: everybody else is taxed alike on both sides of the threshold.
  if (!atHome || there.kind !== 'oss') return there
  const left = await leftBelowThreshold(app, db, sold)
  if (left < 0n) return there
  return { ...decide({ ...seller, taxesConsumersAtHome: true }), above: { left, decision: there } }
}

const sellerOn = ({ config: { company, timeZone } }: App, sold_at: Date): Seller => ({
  country: company.country,
  vatRates: company.vatRates,
  timeZone,
  isSmallBusiness: isSmallBusinessOn(company.smallBusiness, dayIn(sold_at, timeZone)),
})
