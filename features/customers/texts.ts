import type { VatStatus } from '#features/invoices/contract.ts'
import { m } from '#texts/messages.js'

/** The reason why a customer with this VAT id is charged VAT or not; empty where the id makes no difference. */
export const vatStateTexts: Readonly<Record<VatStatus['state'], () => string>> = {
  not_needed: () => '',
  verified: m.customers_vat_state_verified,
  asking: m.customers_vat_state_asking,
  waiting: m.customers_vat_state_waiting,
  invalid: m.customers_vat_state_invalid,
  other_country: m.customers_vat_state_other_country,
  consumer: m.customers_vat_state_consumer,
}
