import * as z from 'zod/mini'
import { translated } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { named, time, urlText } from '#foundation/printed.ts'

/** The sums of an upgrade, as the preview and a refused order show them. */
export const upgradePreview = z.strictObject({
  plan: z.strictObject({ slug: z.string(), name: translated() }),
  /** The time for which the preview counts. An order that names it until `valid_until` costs exactly these sums. */
  as_of: time(),
  valid_until: time(),
  /** The periods that change, each with its exchanged time, the credit for its unused value, and the price of the new plan for this time. */
  periods: z.array(
    z.strictObject({
      plan: translated(),
      starts_at: time(),
      ends_at: time(),
      credit: money,
      net: money,
      vat: money,
      price: money,
    }),
  ),
  /** Both sums include VAT: the credit by the old invoices, the charge at today's rate. */
  credit: money,
  charge: money,
  /** The charge less the credit; below zero where more comes back. */
  pay_now: money,
  /** The price of a renewal: today's, for a whole term. */
  renewal: money,
  /** Below zero where the balance does not suffice. */
  balance_after: money,
  /** The address of the instruction on withdrawal, as in a plan: if it is set, an order has to send `begin_now`. */
  withdrawal_url: z.optional(urlText()),
})
named('UpgradePreview', upgradePreview)
export type UpgradePreview = z.infer<typeof upgradePreview>
