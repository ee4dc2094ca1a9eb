import type { PlaceEvidence, PlaceFacts } from './place-evidence.ts'
import { taxedAs, vatPlaceOf, type VatPlace } from './territories.ts'
import type { Seller, VatDecision } from './vat-decision.ts'
import { decidedPlace, decideVat, type Customer } from './vat.ts'

type When = { at: Date; proof?: Parameters<typeof decideVat>[3]; sold_at?: Date }

/** A place that is named by the address or by a fact, and the VAT of a consumer there. */
type Named = { code: string; vat: VatDecision }

/**
 * Decides the VAT of a sale by the address and by what speaks for it (decision 147): the one function that every price, sale and reissue
 * asks. A rate below the seller's own, such as none, needs a second fact that agrees with the address. Without one, or if a payment says
 * otherwise, the highest rate of the places named is charged. The attack is a consumer who types an address abroad for a minute.
 */
export function decideByFacts(
  company: Seller,
  customer: Customer,
  { payments, network, override }: PlaceFacts,
  { at, proof, sold_at = at }: When,
): VatDecision {
  const claimed = decideVat(company, customer, at, proof, sold_at)
  const place = placeOf(company, customer)
  const consumerIn = (country: string): Named => ({
    code: vatPlaceOf({ country: country || taxedAs(company.country) }).code,
    vat: decideVat(company, { country, vat_id: '' }, at, undefined, sold_at),
  })
  const home = consumerIn('')
  const decision = decidedPlace(override, place.code, at)
  const basis = basisOf(claimed, place, { payments, network, isBelieved: decision?.treatment === 'resident' })
  const rivals = rivalsOf(claimed, basis, {
    home,
    paying: payments.filter((country) => agreement(place, country) === 'differs').map(consumerIn),
    others: [place.country, ...(network === null ? [] : [network])].map(consumerIn),
  })
  const charged = [{ code: place.code, vat: claimed }, ...rivals].reduce((highest, one) =>
    one.vat.rate_bp > highest.vat.rate_bp ? one : highest,
  )
  const isDoubted = charged.vat.rate_bp > claimed.rate_bp
  const { rate_source, rate_from } = charged.vat.evidence
  const evidence: PlaceEvidence = {
    claimed: place.code,
    charged: charged.code,
    basis: isDoubted ? 'doubted' : basis,
    payments,
    network,
    decision: decision?.id ?? null,
  }
  return { ...charged.vat, evidence: { ...claimed.evidence, rate_source, rate_from, place: evidence } }
}

/** Returns the place that the address names; the seller's country where there is no address. */
export const placeOf = (company: Pick<Seller, 'country'>, customer: Customer): VatPlace =>
  vatPlaceOf(customer.country === '' ? { country: taxedAs(company.country) } : customer)

type Basis = Exclude<PlaceEvidence['basis'], 'doubted'>

/** Returns the strongest fact that agrees with the place of the address; `address` if none does. */
function basisOf(
  { kind }: VatDecision,
  place: VatPlace,
  { payments, network, isBelieved }: Pick<PlaceFacts, 'payments' | 'network'> & { isBelieved: boolean },
): Basis {
  // An authority or staff have confirmed the VAT id, which proves the place of a business.
  if (kind === 'reverse_charge') return 'vat_id'
  if (isBelieved) return 'staff'
  const areAll = payments.every((country) => agreement(place, country) === 'agrees')
  if (payments.length > 0 && areAll) return 'payment'
  return network !== null && agreement(place, network) === 'agrees' ? 'network' : 'address'
}

type Facts = { home: Named; paying: readonly Named[]; others: readonly Named[] }

/** Returns the places whose rates count beside that of the address: the highest of them is charged. */
function rivalsOf(claimed: VatDecision, basis: Basis, { home, paying, others }: Facts): readonly Named[] {
  const isLower = claimed.rate_bp < home.vat.rate_bp
  if (basis === 'address') return isLower ? [home, ...paying, ...others] : paying
  // A network is easily chosen, so that it does not outweigh the country of a payment where the rate is low.
  const isOutweighed =
    basis === 'network' && isLower && paying.some(({ vat }) => vat.rate_bp > claimed.rate_bp)
  return isOutweighed ? [home, ...paying] : []
}

/**
 * The meaning of a country for a place. About a territory that has no code of its own, like Heligoland, a card or network of its country says
 * nothing (`open`): everybody there has one.
 */
function agreement(place: VatPlace, country: string): 'agrees' | 'open' | 'differs' {
  const other = vatPlaceOf({ country })
  if (other.code === place.code) return 'agrees'
  return other.country === place.country ? 'open' : 'differs'
}
