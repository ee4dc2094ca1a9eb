import { getFinances } from '#features/finance/contract.ts'
import { getTerms } from '#features/legal/contract.ts'
import { termsToAccept } from '#features/legal/rules.ts'
import { previewPromo, type Plan } from '#features/licences/contract.ts'
import { getProfile } from '#features/profile/contract.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, refreshQueries } from '#foundation/web/api/query.ts'
import type { Answered } from '#foundation/web/api/seen.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { applyChangedPrice, refreshPlans } from './shown-prices.ts'

/**
 * Returns the errors of a refused order, each for its field: an address that already carries a licence is an
 * error of the address. A balance that is too small is loaded again, so that the dialog shows the missing amount
 * (row H-03); a price that changed is shown beside the old one (rule 46).
 */
export function refusedOrder(answer: FormError & Answered & { status: number; body: unknown }): FormError {
  const { status, errors, body } = answer
  if (status === 402) refreshQueries(getFinances)
  const { plan } = (body ?? {}) as { plan?: Plan }
  if (plan) applyChangedPrice(answer, plan)
  const asked = termsToAccept(body)
  if (asked) keepAnswer(answer, keyOf(getTerms), asked)
  // Another tab has made the buyer a consumer: the plans, loaded again, then require the box.
  if (errors.some(({ param }) => param === 'begin_now')) refreshPlans()
  // Another tab has removed the billing address, or made the buyer a company: the dialog then asks for the address.
  if (errors.some(({ code }) => code === 'billing_address_required')) refreshQueries(getProfile)
  // The code was used, or used up, since its prices were shown.
  if (errors.some(({ param }) => param === 'promo')) refreshQueries(previewPromo)
  // The trial was used, or a licence was ordered, in another tab or by another account.
  if (errors.some(({ code }) => code === 'trial_used' || code === 'licence_running')) refreshPlans()
  return {
    errors: errors.map((error) => (error.code === 'ipv4_licensed' ? { ...error, param: 'ipv4' } : error)),
  }
}
