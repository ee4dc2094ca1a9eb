import * as z from 'zod/mini'
import { pastedKey } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { count, named } from '#foundation/printed.ts'

/** A promo code as it is typed; small letters and blanks count as the code. */
export const promo = z.optional(pastedKey(40))

/** The reasons why an order refuses a promo code. */
export const promoConflicts = [
  'promo_expired',
  'promo_used_up',
  'promo_used',
  'promo_other_edition',
  'promo_first_order_only',
] as const

/** The promo code that lowers the price of a plan. */
export const promoOfPlan = z.strictObject({
  code: z.string(),
  /** Null for a code that takes an amount off. */
  percent: z.nullable(z.int()),
  /** The renewals after this order for which it holds. */
  renewals: count(),
  /** The prices without the code. */
  net_before: money,
  total_before: money,
})
named('PlanPromo', promoOfPlan)
