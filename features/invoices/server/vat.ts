import type { Company } from './company.ts'
import { countryOfVatId, isVatId } from '#features/profile/rules.ts'
import { dayIn, type VatKind } from '#features/invoices/rules.ts'
import type { OverrideRow, VatProof } from './vat-evidence-queries.ts'
import { frenchOverseasRate, taxedAs, vatPlaceOf, type Place } from './territories.ts'
import type { Seller, VatDecision, VatEvidence } from './vat-decision.ts'
import { builtInRate, euCountries, rateOn } from './vat-rates.ts'

const noProof: VatProof = { check: null, override: null }

/** True if the form of the VAT id alone does not decide who is liable for the VAT: for a customer elsewhere in the EU. */
export function needsProof(company: Pick<Company, 'country'>, customer: Required<Customer>): boolean {
  const { country, outside } = vatPlaceOf(customer)
  const isAbroad = country !== taxedAs(company.country)
  return customer.vat_id !== '' && isAbroad && !outside && euCountries.includes(country)
}

/** True if an authority can be asked about the VAT id, and its answer counts. */
export const isAskable = (company: Pick<Company, 'country'>, customer: Required<Customer>): boolean =>
  needsProof(company, customer) && checkOf(customer.vat_id, taxedAs(customer.country)) === 'form_right'

export type Customer = Place & { vat_id: string }

/**
 * Decides where and at what rate a service to this customer is taxed (VAT directive, articles 44, 58 and 196). A customer in the seller's
 * country, or in no known country, pays the rate there. Elsewhere in the EU the customer's country's rate applies, or reverse charge if an
 * authority has confirmed a VAT id of that country within 90 days or staff vouch for it. Outside of the EU's VAT area no VAT is due, also in
 * places that belong to a member state (articles 5 to 7, `vatPlaceOf`). A built-in rate is that of the day of the sale. A small business
 * charges no VAT at home; the scheme of its state reaches nobody elsewhere. Below the threshold for sales elsewhere in the EU (article 59c)
 * consumers there are taxed as at home (decision 148).
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
  if (country !== home && company.taxesConsumersAtHome) {
    const decision = decideVat(company, { country: home, vat_id: '' }, at, noProof, sold_at)
    const { rate_source, rate_from } = decision.evidence
    return { ...decision, evidence: evidence(rate_source, rate_from), below_threshold: true }
  }
  if (country === home && company.isSmallBusiness) return exempt()
  const kind = country === home ? 'standard' : 'oss'
  const setHere = place.rates && company.vatRates.get(place.code)
  if (setHere !== undefined) return { rate_bp: setHere, kind, country, evidence: evidence('setting') }
  const own = rateOn(place.rates, dayIn(sold_at, company.timeZone ?? 'UTC'))
  if (own) return { rate_bp: own.rate_bp, kind, country, evidence: evidence('built_in', own.from) }
  const set =
    company.vatRates.get(country === home ? company.country : country) ?? company.vatRates.get(country)
  if (set !== undefined) return { rate_bp: set, kind, country, evidence: evidence('setting') }
  const known = builtInRate(country, dayIn(sold_at, company.timeZone ?? 'UTC'))
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
 * Returns the decision of staff about the VAT id if it is in force, else null. Staff vouch for a business with one VAT id only: the attack is
 * another VAT id in the profile. A consumer by their decision stays a consumer with any VAT id.
 */
export function inForce(
  override: OverrideRow | null,
  vat_id: string,
  at: Date,
): (OverrideRow & { treatment: 'business' | 'consumer' }) | null {
  if (!override || hasEnded(override, at)) return null
  const { treatment } = override
  if (treatment === 'consumer') return { ...override, treatment }
  return treatment === 'business' && override.vat_id === vat_id ? { ...override, treatment } : null
}

/** Returns the decision of staff about a place if it is in force. The attack is another address, once one was believed. */
export function decidedPlace(
  override: OverrideRow | null,
  place: string,
  at: Date,
): (OverrideRow & { treatment: 'resident' | 'elsewhere' }) | null {
  if (!override || hasEnded(override, at) || override.place !== place) return null
  const { treatment } = override
  return treatment === 'resident' || treatment === 'elsewhere' ? { ...override, treatment } : null
}

const hasEnded = ({ valid_until }: OverrideRow, at: Date): boolean => valid_until !== null && valid_until < at
