import type { Cause } from '#features/banking/rules.ts'
import type { Money } from '#foundation/money.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** A day of the bank's, which is the same in every zone. */
export const dayText = (day: string): string => formatDate(`${day}T12:00:00Z`)

export const causeTexts: Readonly<Record<Cause, () => string>> = {
  amount_differs: m.banking_cause_amount_differs,
  paid_before: m.banking_cause_paid_before,
  several_references: m.banking_cause_several_references,
  near_reference: m.banking_cause_near_reference,
  known_payer: m.banking_cause_known_payer,
  return: m.banking_cause_return,
}

/** Nothing is booked yet: a second person was asked. */
export function toastWaiting({ amount }: { amount: Money | null }): void {
  toastSuccess(() => m.approvals_sent({ amount: amount ? formatMoney(amount) : '' }))
}
