import type { BankLine } from '#features/banking/contract.ts'
import type { Cause, LineState } from '#features/banking/rules.ts'
import type { Money } from '#foundation/money.ts'
import { formatDate, formatDay } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** Formats a day of the bank, which is the same day in every time zone. */
export const dayText = (day: string): string => formatDay(day)

const causeTexts: Readonly<Record<Cause, () => string>> = {
  amount_differs: m.banking_cause_amount_differs,
  paid_before: m.banking_cause_paid_before,
  several_references: m.banking_cause_several_references,
  near_reference: m.banking_cause_near_reference,
  known_payer: m.banking_cause_known_payer,
  return: m.banking_cause_return,
  duplicate: m.banking_cause_duplicate,
  batch_not_split: m.banking_cause_batch_not_split,
  came_in_parts: m.banking_cause_came_in_parts,
}

export const stateTexts: Readonly<Record<LineState, () => string>> = {
  open: m.banking_state_open,
  booked: m.banking_state_booked,
  ignored: m.banking_state_ignored,
}

export const nameText = ({ name }: BankLine): string => name || m.banking_nobody()

/** Says what an open payment is for, or why this is not certain. */
export function matchText({ match, cause, candidates }: BankLine): string {
  if (cause) return causeTexts[cause]()
  if (match === 'unknown') return m.banking_unknown()
  return m.banking_exact({ reference: candidates[0]?.reference ?? '' })
}

/** Names the earlier payment that a payment probably repeats, with the state of the earlier payment. */
export function sameAsText({
  line,
  statement_id,
  imported_at,
  state,
}: NonNullable<BankLine['same_as']>): string {
  const text =
    statement_id === ''
      ? m.banking_same_as_unnamed({ line: String(line), date: formatDate(imported_at) })
      : m.banking_same_as({ line: String(line), statement: statement_id })
  return `${text} (${stateTexts[state]()})`
}

/** Shows the notice that a second person was asked and nothing is booked yet. */
export function toastWaiting({ amount }: { amount: Money | null }): void {
  toastSuccess(() => m.approvals_sent({ amount: amount ? formatMoney(amount) : '' }))
}
