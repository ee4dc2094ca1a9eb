import * as z from 'zod/mini'
import { requiredText, translated } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { count } from '#foundation/printed.ts'
import { extraKinds, MOST_EXTRAS, MOST_PIECES } from './rules.ts'

const areApart = (wanted: readonly { extra: string }[]): boolean =>
  new Set(wanted.map(({ extra }) => extra)).size === wanted.length

/**
 * The extras of an order: add-ons and one-offs of the plan’s edition, each with its quantity. Left out, a renewal keeps the add-ons of the
 * licence; an empty list takes none. Setup fees are not named: the order has those that are due.
 */
export const chosenExtras = z
  .array(
    z.strictObject({
      extra: requiredText(64),
      quantity: z.int({ error: 'invalid' }).check(z.gte(1, 'invalid'), z.lte(MOST_PIECES, 'invalid')),
    }),
  )
  .check(z.maxLength(MOST_EXTRAS, 'invalid'), z.refine(areApart, { error: 'invalid' }))
export type ChosenExtras = z.infer<typeof chosenExtras>

export const extras = z.optional(chosenExtras)

/** The reasons why an order refuses its extras. */
export const extraRefusals = ['unknown_extra', 'quantity_too_large'] as const

/** An extra as a plan offers it. */
export const extraOfPlan = z.strictObject({
  slug: z.string(),
  name: translated(),
  /** A `setup` fee is due with this order; an `addon` is paid for the term, and renewed with it; a `once` is paid with the order that names it. */
  kind: z.enum(extraKinds),
  /** The price of one piece before VAT: of an add-on for the term of the plan. */
  price_net: money,
  /** The most pieces. */
  most: count(),
  /** The pieces that an order has which names no extras: 1 of a setup fee, and the add-ons with which the licence renews. */
  quantity: count(),
})
