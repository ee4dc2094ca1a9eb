import type { Plan } from '#features/licences/contract.ts'
import { amountOf, toMoney, type Money } from '#foundation/money.ts'

/** The amount that the balance lacks to pay for the plan; undefined if the balance suffices or is not known yet. */
export function missingFor(plan: Plan | undefined, balance: Money | undefined): Money | undefined {
  if (!plan || !balance) return undefined
  const missing = amountOf(plan.price_total) - amountOf(balance)
  return missing > 0n ? toMoney(missing, balance.currency) : undefined
}
