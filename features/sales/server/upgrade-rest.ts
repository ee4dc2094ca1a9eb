import {
  addonsOf,
  netOf,
  type PlanRow,
  soldFor,
  type SoldExtra,
  type ValuedPeriod,
} from '#features/licences/server/licences.ts'
import { priceOfRest } from '#features/sales/rules.ts'

/** Returns the net of what the new plan costs for the rest of a period; a trial is replaced by a whole term. */
export const netOfRest = (plan: PlanRow, period: ValuedPeriod, as_of: Date): bigint =>
  period.is_trial
    ? plan.price_net
    : priceOfRest(plan.price_net, period, laterOf(as_of, period)) +
      netOf(restOfExtras(plan, period, laterOf(as_of, period)))

export const laterOf = (as_of: Date, { starts_at }: ValuedPeriod): Date =>
  as_of > starts_at ? as_of : starts_at

/** Returns the add-ons of a period for the rest of its time with another plan, at the prices that were agreed. */
export const restOfExtras = (plan: PlanRow, period: ValuedPeriod, from: Date): SoldExtra[] =>
  addonsOf(period.extras)
    .map((kept) => soldFor(kept, plan))
    .map((sold) => ({ ...sold, net: priceOfRest(sold.net, period, from) }))
    .filter(({ net }) => net > 0n)
