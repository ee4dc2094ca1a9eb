import * as z from 'zod/mini'
import { money } from '#foundation/money.ts'
import { named, time, uuidText } from '#foundation/printed.ts'
import { eventKinds, providerNames, unbookedCauses } from './rules.ts'

const person = z.strictObject({ id: uuidText(), name: z.string() })

/** What a payment provider, a bank or staff said of money, and what is not booked, or only in part. */
export const unbookedEvent = z.strictObject({
  id: uuidText(),
  provider: z.enum(providerNames),
  /** The provider's own id of the event. */
  event_id: z.string(),
  kind: z.enum(eventKinds),
  cause: z.enum(unbookedCauses),
  /** The part that is not booked; null for the whole payment. */
  amount: z.nullable(money),
  /** The provider's own id of the payment. */
  payment_reference: z.nullable(z.string()),
  reason: z.string(),
  /** The public id and the bank reference of the top-up. */
  top_up: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  customer: z.nullable(person),
  created_at: time(),
  /** `by` is null where the event was booked by itself after all. */
  done: z.nullable(z.strictObject({ at: time(), by: z.nullable(person), note: z.string() })),
})
named('UnbookedEvent', unbookedEvent)
