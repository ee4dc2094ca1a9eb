import * as z from 'zod/mini'
import { translated } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { named, time, urlText } from '#foundation/printed.ts'

/** The sums of an upgrade, as the preview and a refused order show them. */
export const upgradePreview = z.strictObject({
  plan: z.strictObject({ slug: z.string(), name: translated() }),
  /** For this time the preview counts. An order that names it within `valid_until` costs exactly this. */
  as_of: time(),
  valid_until: time(),
  /** The periods that change: the time from then on, what its unused value gives back, and what the new plan costs for it. */
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
  /** Both with VAT: that of the old invoices, and that of today. */
  credit: money,
  charge: money,
  /** The charge less the credit; below zero where more comes back. */
  pay_now: money,
  /** The price of a renewal: today's, for a whole term. */
  renewal: money,
  /** Below zero where the balance does not suffice. */
  balance_after: money,
  /** The address of the instruction, as of a plan: where it is set, an order has to send `begin_now`. */
  withdrawal_url: z.optional(urlText()),
})
named('UpgradePreview', upgradePreview)
export type UpgradePreview = z.infer<typeof upgradePreview>
