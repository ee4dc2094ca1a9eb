import * as z from 'zod/mini'
import { money } from '#foundation/money.ts'
import { count, named, time } from '#foundation/printed.ts'
import { version } from '#foundation/versions.ts'
import { paymentMethod } from '#features/methods/contract.ts'
import { autoTopUpKinds, holdReasons, pauseReasons, runStates } from './rules.ts'

export const autoTopUpRun = z.strictObject({
  /** The id of the payment. */
  id: z.string(),
  state: z.enum(runStates),
  amount: money,
  /** The provider's code of a decline; otherwise empty. */
  reason: z.string(),
  created_at: time(),
  /** The time of the charge; for a direct debit some days ahead. */
  charge_at: time(),
  /** Until then the customer can allow a charge that waits for it; otherwise null. */
  act_until: z.nullable(time()),
  ended_at: z.nullable(time()),
})
named('AutoTopUpRun', autoTopUpRun)

export const autoTopUp = z.strictObject({
  state: z.enum(['off', 'active', 'paused']),
  /** The reason why it is paused; of an active one, the limit that holds a charge back; otherwise null. */
  reason: z.nullable(z.enum([...pauseReasons, ...holdReasons])),
  kind: z.enum(autoTopUpKinds),
  /** The method that is charged; null where it is off, or the method is gone. */
  method: z.nullable(paymentMethod),
  /** The most that a month may charge; null where it is off, as are the next two for `cover`. */
  month_limit: z.nullable(money),
  threshold: z.nullable(money),
  amount: z.nullable(money),
  /** The amount that this month has charged or may still charge. */
  used: money,
  /** The run that is on its way, of which there is one at most. */
  open_run: z.nullable(autoTopUpRun),
  version,
  /** The days by which it is ahead of renewals with a method that is charged at once, and with direct debits. */
  days_ahead: z.strictObject({ at_once: count(), direct_debit: count() }),
})
named('AutoTopUp', autoTopUp)
