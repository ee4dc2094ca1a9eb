import type { VatStatus } from '#features/invoices/contract.ts'
import type { Treatment } from '#features/invoices/rules.ts'
import { m } from '#texts/messages.js'

export const treatmentTexts: Readonly<Record<Treatment, () => string>> = {
  automatic: m.customers_vat_automatic,
  business: m.customers_vat_business,
  consumer: m.customers_vat_consumer,
}

export const vatStateTexts: Readonly<Record<VatStatus['state'], () => string>> = {
  not_needed: () => '',
  verified: m.customers_vat_state_verified,
  asking: m.customers_vat_state_asking,
  waiting: m.customers_vat_state_waiting,
  invalid: m.customers_vat_state_invalid,
  other_country: m.customers_vat_state_other_country,
  consumer: m.customers_vat_state_consumer,
}
