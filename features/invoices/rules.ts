import { amountOf, type Money } from '#foundation/money.ts'

/** Codes of invoice lines; each has its text `invoices_line_CODE`. */
export const lineCodes = [
  'licence_order',
  'licence_renewal',
  'licence_upgrade',
  'extra',
  'partial_refund',
  'refund_of_host',
  'rest_of_invoice',
  'text',
] as const

/** Codes of the reasons why a line costs less; each has its text `invoices_reduction_CODE`. */
export const reductionCodes = ['promo_code'] as const

/** Codes of notes below the lines; each has its text `invoices_note_CODE`. */
export const noteCodes = [
  'reverse_charge',
  'outside_eu',
  'small_business',
  'state_vat',
  'paid',
  'given_back',
  'upgraded',
  'credit_note_of',
  'reissued',
  'replaces',
  'difference_given_back',
  'text',
] as const

export const invoiceKinds = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/**
 * The rule by which the VAT of a document was decided:
 * - `standard`: the seller's country, at its rate
 * - `oss`: a consumer elsewhere in the EU, at the rate there (one-stop shop)
 * - `reverse_charge`: a business elsewhere in the EU, which is itself liable for the VAT
 * - `outside_eu`: not taxable here
 * - `small_business`: exempt, because the seller is a small business (in Germany: section 19 of the VAT Act)
 */
export const vatKinds = ['standard', 'oss', 'reverse_charge', 'outside_eu', 'small_business'] as const
export type VatKind = (typeof vatKinds)[number]

/** The limits on a seller's turnover of a year: of sales to consumers elsewhere in the EU, and those of a small business. */
export const limitNames = ['eu_consumers', 'small_business', 'small_business_next_year'] as const
export type LimitName = (typeof limitNames)[number]

/**
 * The ways in which staff decide how a customer is taxed; with `automatic` the check of the VAT id and the facts about the place decide.
 * `resident` and `elsewhere` are about the place of the address: it is believed, or it is not.
 */
export const treatments = ['automatic', 'business', 'consumer', 'resident', 'elsewhere'] as const
export type Treatment = (typeof treatments)[number]

/** The choices for the VAT of an invoice that is issued again: keep it, or decide it anew by the facts known now. */
export const reissueVats = ['keep', 'decide'] as const
export type ReissueVat = (typeof reissueVats)[number]

/** A rate in basis points as percent: 1900n is '19', 2550n is '25.5'. */
export function percentOf(rate_bp: bigint): string {
  const hundredths = (rate_bp % 100n).toString().padStart(2, '0').replace(/0+$/, '')
  return `${rate_bp / 100n}${hundredths === '' ? '' : `.${hundredths}`}`
}

/** The fields of a profile by which an invoice names its buyer. */
export type BuyerFields = {
  name: string
  surname: string
  company: string
  address: string
  zip: string
  city: string
  country: string
  vat_id: string
}

// Countries without postal codes.
const withoutZip =
  'AE AG AO AW BF BI BJ BO BS BW BZ CF CG CI CK CM DJ DM ER FJ GD GH GM GQ GY HK JM KI KM KN KP LC ML MO MR MW NR NU PA QA RW SB SC SL SR ST SY TD TG TK TO TT TV UG VU YE ZW'

/** The profile fields that are missing for a complete address on an invoice; empty if it is complete. */
export function missingInAddress(buyer: BuyerFields): (keyof BuyerFields)[] {
  const missing: (keyof BuyerFields)[] = []
  if (buyer.name === '' && buyer.surname === '' && buyer.company === '') missing.push('name')
  for (const field of ['address', 'zip', 'city', 'country'] as const)
    if (buyer[field] === '' && !(field === 'zip' && withoutZip.split(' ').includes(buyer.country)))
      missing.push(field)
  return missing
}

/** True if a sale of this gross amount (minor units) needs the buyer's address; companies need it on any invoice. */
export const needsAddress = (
  buyer: Pick<BuyerFields, 'company' | 'vat_id'>,
  total: bigint,
  namelessUpTo: Money,
) => buyer.company !== '' || buyer.vat_id !== '' || total > amountOf(namelessUpTo)

export const formats = ['pdf', 'xrechnung'] as const
export type Format = (typeof formats)[number]

type Party = { name: string; street: string; zip: string; city: string; country: string; email: string }

/**
 * The details that XRechnung requires beyond EN 16931 and that are missing from this invoice (BR-DE-2 to BR-DE-9): the seller's
 * `seller_contact` or the buyer's `buyer_address`. If any is missing there is no XRechnung: recipients reject an incomplete one.
 */
export function missingForXrechnung({
  from,
  to,
}: {
  from: Party & { phone: string }
  to: Party & { company: string }
}): ('seller_contact' | 'buyer_address')[] {
  const seller = [from.name, from.phone, from.email, from.zip, from.city]
  const buyer = [to.company || to.name, to.street, to.zip, to.city, to.country]
  return [
    ...(seller.includes('') ? (['seller_contact'] as const) : []),
    ...(buyer.includes('') ? (['buyer_address'] as const) : []),
  ]
}

export const formatsOf = (parties: Parameters<typeof missingForXrechnung>[0]): Format[] =>
  missingForXrechnung(parties).length === 0 ? ['pdf', 'xrechnung'] : ['pdf']

/** The greatest length of a buyer reference or order reference, in code points. */
export const REFERENCE_LENGTH = 100

// A format is made once for each time zone: making one costs a hundred times as much as using it.
const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** Returns the day of a time in a time zone, as `2026-11-21`. */
export function dayIn(at: Date, timeZone: string): string {
  const format = dayFormats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone })
  dayFormats.set(timeZone, format)
  return format.format(at)
}

/**
 * Returns the first and the last day of service of a paid period, as documents state them. The day of its end belongs to the period that
 * follows, whatever the time of day, so that two successive periods share no day; a period within one day has this day alone.
 */
export function serviceDays(
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date },
  timeZone: string,
): { first_day: string; last_day: string } {
  const first_day = dayIn(starts_at, timeZone)
  const before = new Date(Date.parse(dayIn(ends_at, timeZone)) - 86_400_000).toISOString().slice(0, 10)
  return { first_day, last_day: before < first_day ? first_day : before }
}
