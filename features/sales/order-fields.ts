import * as z from 'zod/mini'
import { addressErrors } from '#features/hosts/contract.ts'
import { REFERENCE_LENGTH } from '#features/invoices/rules.ts'
import { terms, termsErrors } from '#features/legal/contract.ts'
import { extras, promo, promoConflicts } from '#features/licences/contract.ts'
import { requiredText, text } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'

/** The fields that the orders of a licence send, and the reasons why orders are refused. */

export const slug = requiredText(64)
/**
 * The `price_total` that was shown with the plan (rule 46). It is compared and never charged (rule 11): if the order would cost another
 * amount, by a new price or another VAT, it is refused with `price_changed` and the current plan.
 */
export const expected_total = money
/** The buyer's own number of this order, printed on its invoice (BT-13). Without it, the invoice has the number in the invoice settings. */
export const order_reference = z.optional(text(REFERENCE_LENGTH))
/** True if a consumer asks for the service to begin at once, not after the withdrawal period; required with a `withdrawal_url`. */
export const begin_now = z.optional(z.boolean())
/**
 * Orders a trial, for the trial days of the edition instead of a term: nothing is charged, and `expected_total` is 0. An account with a
 * confirmed email address may try each edition once, and an IP address may be used for one trial only.
 */
const trial = z.optional(z.literal(true))
const trialErrors = ['trial_not_offered', 'trial_used', 'licence_running', 'unverified_email'] as const
export const orderFields = {
  plan: slug,
  expected_total,
  order_reference,
  terms,
  begin_now,
  trial,
  promo,
  extras,
}
export const orderConflicts = [
  ...addressErrors,
  ...(['price_changed', 'billing_address_required', 'seller_incomplete'] as const),
  ...trialErrors,
  ...termsErrors,
  ...promoConflicts,
] as const
