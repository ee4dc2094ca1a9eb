import type { App } from '#foundation/server/app.ts'
import type { Company } from './company.ts'
import { billingDetails } from '#features/profile/server/profile.ts'
import { countryOfVatId, isVatId } from '#features/profile/rules.ts'
import { dayIn, type VatKind } from '#features/invoices/rules.ts'
import * as queries from './queries.ts'
import { proofOf, type OverrideRow, type VatProof } from './vat-evidence-queries.ts'
import { isSmallBusinessOn } from './small-business.ts'
import { frenchOverseasRate, taxedAs, vatPlaceOf, type Place } from './territories.ts'
import { builtInRate, euCountries, rateOn } from './vat-rates.ts'

/** The evidence of the decision, kept with the invoice: a tax inspector asks for it (Implementing Regulation 282/2011, 24b and 24f). */
export type VatEvidence = {
  /** RFC 3339, by the database's clock. */
  decided_at: string
  /** The country and the VAT id as the customer gave them, or ''. */
  customer_country: string
  vat_id: string
  /** The result of checking the form of the VAT id; `other_country` means that its country is not the customer's. */
  vat_id_check: 'absent' | 'form_wrong' | 'other_country' | 'form_right'
  /** The newest answer of an authority about this very id, or null: under its consultation number it can be found again. */
  answer: {
    verdict: 'valid' | 'invalid'
    source: string
    answered_at: string
    requester: string
    consultation_number: string
  } | null
  /** The decision of staff that was in force, with its id, or null. */
  override: { id: string; treatment: 'business' | 'consumer' } | null
  seller_country: string
  /**
   * The source of the rate: `built_in` with `rate_from`, the day from which it is valid; the operator's own
   * `setting`; or `none` if no VAT is charged.
   */
  rate_source: 'built_in' | 'setting' | 'none'
  rate_from: string
}

/** The VAT of a sale: `rate_bp` in basis points (1900n is 19 %), and the country in which it is due, or the customer's if none is due. */
export type VatDecision = { rate_bp: bigint; kind: VatKind; country: string; evidence: VatEvidence }

/** Returns the VAT that this customer pays at this moment. `db` may be a transaction, whose changes count. */
export async function vatFor(app: App, db: App['db'], user_id: string): Promise<VatDecision> {
  const [details, at] = await Promise.all([billingDetails(db, user_id), queries.databaseTime(db)])
  const { country = '', zip = '', city = '', vat_id = '' } = details ?? {}
  const customer = { country, zip, city, vat_id }
  return decideVat(sellerOn(app, at), customer, at, await proofFor(app, db, { ...customer, user_id }))
}

/** The standing of the seller that decides VAT: the settings, as they are on the day of the sale. */
type Seller = Pick<Company, 'country' | 'vatRates'> & {
  /** True on a day on which the seller is a small business. */
  isSmallBusiness?: boolean
}

const sellerOn = ({ config: { company, timeZone } }: App, sold_at: Date): Seller => ({
  country: company.country,
  vatRates: company.vatRates,
  isSmallBusiness: isSmallBusinessOn(company.smallBusiness, dayIn(sold_at, timeZone)),
})

/** Decides the VAT on a sale that was made at `sold_at`, by the facts known now about the VAT id: for an invoice that is issued again. */
export async function vatOfSale(
  app: App,
  db: App['db'],
  sale: Customer & { user_id: string; sold_at: Date },
): Promise<VatDecision> {
  const at = await queries.databaseTime(db)
  return decideVat(sellerOn(app, sale.sold_at), sale, at, await proofFor(app, db, sale), sale.sold_at)
}

const proofFor = async (
  app: App,
  db: App['db'],
  { user_id, country, vat_id }: Customer & { user_id: string },
): Promise<VatProof> =>
  needsProof(app.config.company, { country, vat_id }) ? proofOf(db, { user_id, vat_id }) : noProof

const noProof: VatProof = { check: null, override: null }

/** True if the form of the VAT id alone does not decide who is liable for the VAT: for a customer elsewhere in the EU. */
export function needsProof(company: Pick<Company, 'country'>, customer: Customer): boolean {
  const { country, outside } = vatPlaceOf(customer)
  const isAbroad = country !== taxedAs(company.country)
  return customer.vat_id !== '' && isAbroad && !outside && euCountries.includes(country)
}

/** True if an authority can be asked about the VAT id, and its answer counts. */
export const isAskable = (company: Pick<Company, 'country'>, customer: Customer): boolean =>
  needsProof(company, customer) && checkOf(customer.vat_id, taxedAs(customer.country)) === 'form_right'

type Customer = Place & { vat_id: string }

/**
 * Decides where and at what rate a service to this customer is taxed (VAT directive, articles 44, 58 and 196). A customer in the seller's
 * country, or in no known country, pays the rate there. Elsewhere in the EU the customer's country's rate applies, or reverse charge if an
 * authority has confirmed a VAT id of that country within 90 days or staff vouch for it. Outside of the EU's VAT area no VAT is due, also in
 * places that belong to a member state (articles 5 to 7, `vatPlaceOf`). A built-in rate is that of the day of the sale. A small business
 * charges no VAT at home and to consumers elsewhere in the EU (decision 148); the scheme of its state reaches no business elsewhere.
 */
export function decideVat(
  company: Seller,
  customer: Customer,
  at: Date,
  proof: VatProof = noProof,
  sold_at: Date = at,
): VatDecision {
  const home = taxedAs(company.country)
  const place = vatPlaceOf(customer.country === '' ? { country: home } : customer)
  const { country } = place
  const vat_id_check = checkOf(customer.vat_id, country)
  const override = inForce(proof.override, customer.vat_id, at)
  const evidence = (rate_source: VatEvidence['rate_source'], rate_from = ''): VatEvidence => ({
    decided_at: at.toISOString(),
    customer_country: customer.country,
    vat_id: customer.vat_id,
    vat_id_check,
    answer: proof.check && { ...proof.check, answered_at: proof.check.answered_at.toISOString() },
    override: override && { id: override.id, treatment: override.treatment },
    seller_country: company.country,
    rate_source,
    rate_from,
  })
  const untaxed = (kind: VatKind): VatDecision => ({ rate_bp: 0n, kind, country, evidence: evidence('none') })
  // To a seller in France the departments overseas are at home, with rates of their own.
  const overseas = home === 'FR' ? frenchOverseasRate(place) : undefined
  const exempt = (): VatDecision => ({ ...untaxed('small_business'), country: home })
  if (overseas && company.isSmallBusiness) return exempt()
  if (overseas) return { rate_bp: overseas, kind: 'standard', country: home, evidence: evidence('built_in') }
  if (place.outside || (country !== home && !euCountries.includes(country))) return untaxed('outside_eu')
  const isVerified = vat_id_check === 'form_right' && isFresh(proof.check, at)
  if (country !== home && (override ? override.treatment === 'business' : isVerified))
    return untaxed('reverse_charge')
  if (company.isSmallBusiness) return exempt()
  const kind = country === home ? 'standard' : 'oss'
  const own = rateOn(place.rates, sold_at.toISOString().slice(0, 10))
  if (own) return { rate_bp: own.rate_bp, kind, country, evidence: evidence('built_in', own.from) }
  const set =
    company.vatRates.get(country === home ? company.country : country) ?? company.vatRates.get(country)
  if (set !== undefined) return { rate_bp: set, kind, country, evidence: evidence('setting') }
  const known = builtInRate(country, sold_at.toISOString().slice(0, 10))
  if (!known) throw new Error(`no VAT rate for ${country}`)
  return { rate_bp: known.rate_bp, kind, country, evidence: evidence('built_in', known.from) }
}

function checkOf(vat_id: string, country: string): VatEvidence['vat_id_check'] {
  if (vat_id === '') return 'absent'
  if (!isVatId(vat_id)) return 'form_wrong'
  return taxedAs(countryOfVatId(vat_id)) === country ? 'form_right' : 'other_country'
}

const COUNTS_MS = 90 * 86_400_000

/** True if the check said `valid` at most 90 days before `at`. */
export const isFresh = (check: VatProof['check'], at: Date): boolean =>
  check?.verdict === 'valid' && at.getTime() - check.answered_at.getTime() <= COUNTS_MS

/**
 * Returns the decision of staff if it is in force, else null. Staff vouch for a business with one VAT id only: the attack is another VAT id
 * in the profile. A consumer by their decision stays a consumer with any VAT id.
 */
export function inForce(
  override: OverrideRow | null,
  vat_id: string,
  at: Date,
): (OverrideRow & { treatment: 'business' | 'consumer' }) | null {
  if (!override || (override.valid_until && override.valid_until < at)) return null
  const { treatment } = override
  if (treatment === 'automatic' || (treatment === 'business' && override.vat_id !== vat_id)) return null
  return { ...override, treatment }
}
