import type { VatKind } from '#features/invoices/rules.ts'
import type { Company } from './company.ts'
import type { PlaceEvidence } from './place-evidence.ts'

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
  /** The facts about the buyer's place; absent where an address alone was asked about. */
  place?: PlaceEvidence
}

/** The VAT of a sale: `rate_bp` in basis points (1900n is 19 %), and the country in which it is due, or the customer's if none is due. */
export type VatDecision = {
  rate_bp: bigint
  kind: VatKind
  country: string
  evidence: VatEvidence
  /** True for a consumer elsewhere in the EU who is taxed at home, because all such sales are below the threshold. */
  below_threshold?: boolean
  /** The decision for a sale of more than `left` (net, minor units), which passes the threshold. */
  above?: { left: bigint; decision: VatDecision }
}

/** Returns the VAT of a sale with this net: below the threshold for sales elsewhere in the EU, or from the sale on that passes it. */
export const vatOver = ({ above, ...decision }: VatDecision, net: bigint): VatDecision =>
  above && net > above.left ? above.decision : decision

/** The standing of the seller that decides VAT: the settings, as they are on the day of the sale. */
export type Seller = Pick<Company, 'country' | 'vatRates'> & {
  /** The time zone whose day a sale belongs to, UTC if absent: rates change with a day. */
  timeZone?: string
  /** True on a day on which the seller is a small business. */
  isSmallBusiness?: boolean
  /** True while sales to consumers elsewhere in the EU are below the threshold and taxed at home. */
  taxesConsumersAtHome?: boolean
}
