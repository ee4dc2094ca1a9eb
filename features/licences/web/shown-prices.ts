import { useState } from 'react'
import { listPlans, type Plan } from '#features/licences/contract.ts'
import { queryClient, refreshQueries } from '#foundation/web/api/query.ts'
import type { Money } from '#foundation/money.ts'

/**
 * The price of each plan when this dialog first showed it (rule 46). Prices may change while it is open, by
 * the operator or by the customer's own country in another tab: then `before` returns the old price, to be
 * shown beside the new one.
 */
export function useShownPrices(plans: readonly Plan[] | undefined) {
  const [first] = useState(() => new Map<string, Money>())
  for (const { slug, price_total } of plans ?? []) if (!first.has(slug)) first.set(slug, price_total)
  const before = (plan: Plan): Money | undefined => {
    const shown = first.get(plan.slug)
    return shown && shown.amount !== plan.price_total.amount ? shown : undefined
  }
  return before
}

/**
 * An order was refused because the price of this plan changed: shows it at once, and loads the others'
 * prices.
 */
export function applyChangedPrice(plan: Plan): void {
  queryClient.setQueriesData<{ items: Plan[] }>(
    { queryKey: [listPlans.path] },
    (known) => known && { items: known.items.map((each) => (each.slug === plan.slug ? plan : each)) },
  )
  refreshQueries(listPlans)
}
