import { useState } from 'react'
import { listPlans, previewPromo, type Plan } from '#features/licences/contract.ts'
import { keepInLists } from '#foundation/web/api/keep.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import type { Answered } from '#foundation/web/api/seen.ts'
import type { Money } from '#foundation/money.ts'

/**
 * Remembers the price of each plan when this dialog first showed it (rule 46). Prices may change while the dialog
 * is open: the operator may change them, or the customer may choose another country in another tab. The returned
 * function then gives the old price, to be shown beside the new one; otherwise undefined.
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

/** Shows the new price of a plan at once, after an order was refused because of it, and loads the prices of the other plans. */
export function applyChangedPrice(answered: Answered, plan: Plan): void {
  keepInLists<{ items: Plan[] }>(answered, listPlans, ({ items }) => ({
    items: items.map((each) => (each.slug === plan.slug ? plan : each)),
  }))
  refreshPlans()
}

/** Loads the plans again, also those at the prices of a promo code. */
export function refreshPlans(): void {
  refreshQueries(listPlans)
  refreshQueries(previewPromo)
}
