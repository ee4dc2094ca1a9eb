import { taxedAs } from './territories.ts'
import { euCountries } from './vat-rates.ts'
import type { VatDecision } from './vat-decision.ts'

/** True for a consumer in the EU: a customer there whose VAT id, if any, does not make them a business. */
export const isConsumerInTheEu = ({
  kind,
  evidence,
  below_threshold,
}: Pick<VatDecision, 'kind' | 'evidence' | 'below_threshold'>): boolean =>
  kind === 'oss' ||
  below_threshold === true ||
  // A place outside of the VAT area belongs to its member state all the same: the customer's country is the address's.
  (kind === 'outside_eu' &&
    euCountries.includes(evidence.customer_country) &&
    evidence.vat_id_check !== 'form_right') ||
  ((kind === 'standard' || kind === 'small_business') &&
    euCountries.includes(taxedAs(evidence.seller_country)) &&
    evidence.vat_id_check !== 'form_right')
