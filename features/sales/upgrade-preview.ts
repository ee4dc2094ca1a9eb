import * as z from 'zod/mini'
import { translated } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { count, named, time, urlText } from '#foundation/printed.ts'

/** The sums of an upgrade, as the preview and a refused order show them. */
export const upgradePreview = z.strictObject({
  plan: z.strictObject({ slug: z.string(), name: translated() }),
  /** The time of the preview. An order that sends this time until `valid_until` costs exactly these sums. */
  as_of: time(),
  valid_until: time(),
  /** The periods that change, each with the exchanged time, the credit for the unused value and the price of the new plan for that time. */
  periods: z.array(
    z.strictObject({
      plan: translated(),
      starts_at: time(),
      ends_at: time(),
      credit: money,
      /** True if the credit goes to another account than the one that pays now: to the one that had paid for this time. */
      credited_apart: z.boolean(),
      net: money,
      vat: money,
      price: money,
    }),
  ),
  /** The extras that are charged with the new plan, before VAT and for that time; left out if there are none. */
  extras: z.optional(z.array(z.strictObject({ name: translated(), quantity: count(), net: money }))),
  /** Both sums include VAT: the credit at the rate of the old invoices, the charge at today's rate. */
  credit: money,
  charge: money,
  /** The part of the credit that goes to other accounts than the one that pays now, and is not taken off the price. */
  credit_apart: money,
  /** The charge less the credit to the same account; below zero if that credit is larger. */
  pay_now: money,
  /** The price of a renewal for a whole term, with its add-ons, as of today. */
  renewal: money,
  /** Below zero if the balance does not suffice. */
  balance_after: money,
  /** The address of the instruction on withdrawal, as in a plan: if it is set, an order has to send `begin_now`. */
  withdrawal_url: z.optional(urlText()),
})
named('UpgradePreview', upgradePreview)
export type UpgradePreview = z.infer<typeof upgradePreview>
