import type { Translated } from '#foundation/locale.ts'

/**
 * A paid period, with the terms of its order; as JSON, so that times are texts. `price` in minor units as a
 * decimal text, VAT included; `term` is an ISO 8601 duration.
 */
export type PaidTime = {
  plan: string
  plan_name: Translated
  edition: string
  term: string
  /** Null if a former owner bought the period. */
  price: string | null
  currency: string
  /** The entitlements of the period, by key. */
  entitlements: Record<string, boolean | number | string>
  ordered_at: string
  starts_at: string
  ends_at: string
  is_trial: boolean
  /** The promo code that lowered its order, for the owner who ordered; null for any other. */
  promo: KeptPromo | null
  /** The extras of its order, for the owner who ordered; null for any other. */
  extras: KeptExtra[] | null
}

/** An extra as an order keeps it, at the price that was agreed; the feature that sells gives it its meaning. */
export type KeptExtra = {
  extra: string
  kind: 'setup' | 'addon' | 'once'
  name: Translated
  /** The price of one piece before VAT, in minor units: of an add-on for a month. */
  unit: string
  quantity: number
}

/** A promo code as an order keeps it; the feature that sells gives it its meaning. */
type KeptPromo = {
  code: string
  percent: number | null
  amount: string | null
  editions: string[] | null
  left: number
}
