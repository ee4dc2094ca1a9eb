import type { Treatment } from '#features/invoices/rules.ts'
import { m } from '#texts/messages.js'

export const treatmentTexts: Readonly<Record<Treatment, () => string>> = {
  automatic: m.customers_vat_automatic,
  business: m.customers_vat_business,
  consumer: m.customers_vat_consumer,
  resident: m.customers_vat_resident,
  elsewhere: m.customers_vat_elsewhere,
}
