import type { Cause, Level } from '#features/customers/rules.ts'
import { accessTexts } from '#features/support/desk/texts.ts'
import { m } from '#texts/messages.js'

export const levelTexts: Readonly<Record<Level, () => string>> = {
  none: m.customers_state_open,
  ...accessTexts,
}

export const causeTexts: Readonly<Record<Cause, () => string>> = {
  fraud: m.customers_cause_fraud,
  payment: m.customers_cause_payment,
  terms: m.customers_cause_terms,
  stolen: m.customers_cause_stolen,
}
