import type { z } from 'zod/mini'
import type { getStaffMe } from '#features/team/contract.ts'
import { amountOf } from '#foundation/money.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { m } from '#texts/messages.js'

type Allowance = z.infer<(typeof getStaffMe)['replies'][200]>['allowances'][number]

/**
 * Returns the warning about an amount (minor units) above the allowance: it will wait for a second person, or there is no such
 * person, and it is carried out at once. Undefined within the allowance.
 */
export function aboveAllowanceText(
  { single, left_today, above }: Allowance,
  amount: bigint,
): string | undefined {
  const most = amountOf(single) < amountOf(left_today) ? single : left_today
  if (amount <= amountOf(most)) return undefined
  const values = { amount: formatMoney(most) }
  return above === 'waits' ? m.approvals_above(values) : m.approvals_above_alone(values)
}
