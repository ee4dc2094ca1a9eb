import * as z from 'zod/mini'
import { named, time } from '#foundation/printed.ts'
import { methodKinds, providerNames } from '#features/finance/rules.ts'
import { methodStates, pauseReasons } from './rules.ts'

export const paymentMethod = z.strictObject({
  id: z.string(),
  provider: z.enum(providerNames),
  kind: z.enum(methodKinds),
  /** The brand of a card, such as Visa; otherwise empty. */
  brand: z.string(),
  /** The last four characters of the card or account; empty where it has none. */
  last4: z.string(),
  /** The last month in which it can be charged, such as 2031-04; null where it does not end. */
  expires: z.nullable(z.string()),
  /** The reference of the mandate for direct debits; otherwise null. */
  mandate: z.nullable(z.string()),
  is_default: z.boolean(),
  /** `expired` and `paused` methods are not charged. */
  state: z.enum(methodStates),
  /** The reason why it is paused; otherwise null. */
  reason: z.nullable(z.enum(pauseReasons)),
  created_at: time(),
})
named('PaymentMethod', paymentMethod)
