import { billingDetails } from '#features/profile/server/profile.ts'
import type { App } from '#foundation/server/app.ts'
import { byThreshold } from './by-threshold.ts'
import type { PlaceEvidence, PlaceFacts } from './place-evidence.ts'
import { decideByFacts } from './place.ts'
import { databaseTime } from './queries.ts'
import { proofOf, type VatProof } from './vat-evidence-queries.ts'
import type { Seller, VatDecision } from './vat-decision.ts'
import { needsProof, type Customer } from './vat.ts'
import { payingCountries } from '#features/finance/server/finance.ts'
import { lastAddressOf } from '#foundation/server/session/session.ts'
import { countryOfNetwork } from './network-country.ts'
import { placeRecordsOf } from './place-queries.ts'

/**
 * Returns the VAT that this customer pays at this moment. `db` may be a transaction, whose changes count. A sale takes the decision for its
 * net: `vatOver`.
 */
export async function vatFor(app: App, db: App['db'], user_id: string): Promise<VatDecision> {
  const [details, at, facts] = await Promise.all([
    billingDetails(db, user_id),
    databaseTime(db),
    placeFactsOf(db, user_id),
  ])
  const { country = '', zip = '', city = '', vat_id = '' } = details ?? {}
  const customer = { country, zip, city, vat_id }
  const proof = await proofFor(app, db, { ...customer, user_id })
  return byThreshold(app, db, { at }, (seller) => decideByFacts(seller, customer, facts, { at, proof }))
}

/**
 * Decides the VAT on a sale that was made at `sold_at`, by the facts of its time about the place, where its document has them, and by those
 * known now about the VAT id: for an invoice that is issued again.
 */
export async function vatOfSale(
  app: App,
  db: App['db'],
  sale: Required<Customer> & { user_id: string; sold_at: Date; evidence: { place?: PlaceEvidence } },
): Promise<VatDecision> {
  const [at, now] = [await databaseTime(db), await placeFactsOf(db, sale.user_id)]
  const { payments = [], network = null } = sale.evidence.place ?? {}
  const facts = {
    payments: payments.length > 0 ? payments : now.payments,
    network: network ?? now.network,
    override: now.override,
  }
  const { sold_at } = sale
  const proof = await proofFor(app, db, sale)
  const decide = (seller: Seller) => decideByFacts(seller, sale, facts, { at, proof, sold_at })
  return byThreshold(app, db, { at: sold_at, until: sold_at }, decide)
}

const proofFor = async (
  app: App,
  db: App['db'],
  { user_id, ...customer }: Required<Customer> & { user_id: string },
): Promise<VatProof> =>
  needsProof(app.config.company, customer)
    ? proofOf(db, { user_id, vat_id: customer.vat_id })
    : { check: null, override: null }

/** Returns what is known of a customer's place at this moment. Only the country of the network's address leaves this function. */
async function placeFactsOf(db: App['db'], user_id: string): Promise<PlaceFacts> {
  const [payments, address, records] = await Promise.all([
    payingCountries(db, user_id),
    lastAddressOf(db, user_id),
    placeRecordsOf(db, user_id),
  ])
  // Renewals go on when nobody is signed in.
  const network = address === undefined ? (records?.network ?? null) : countryOfNetwork(address)
  return { payments, network, override: records?.override ?? null }
}
