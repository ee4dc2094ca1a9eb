import * as z from 'zod/mini'
import { mollieMoney } from './mollie-amounts.ts'

const optionalText = z.optional(z.nullable(z.string()))
const id = (prefix: string) => z.string().check(z.regex(new RegExp(`^${prefix}_[A-Za-z0-9]{4,60}$`)))
/** The form of a payment's id: all that is believed of a call of Mollie. */
export const paymentId = id('tr')

const refund = z.object({
  id: id('re'),
  amount: mollieMoney,
  status: z.enum(['queued', 'pending', 'processing', 'refunded', 'failed', 'canceled']),
  metadata: z.optional(z.unknown()),
})
const chargeback = z.object({
  id: id('chb'),
  amount: mollieMoney,
  reason: z.optional(z.nullable(z.object({ description: optionalText }))),
  reversedAt: optionalText,
})
const total = z.optional(z.nullable(mollieMoney))
/** A payment with its refunds and chargebacks, in Mollie's words; only what is read of it. */
export const molliePayment = z.object({
  id: paymentId,
  status: z.enum(['open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed']),
  amount: mollieMoney,
  amountRefunded: total,
  amountChargedBack: total,
  metadata: z.optional(z.unknown()),
  paidAt: optionalText,
  details: z.optional(
    z.nullable(
      z.object({
        cardCountryCode: optionalText,
        consumerAccount: optionalText,
        bankReason: optionalText,
        bankReasonCode: optionalText,
        failureReason: optionalText,
      }),
    ),
  ),
  _embedded: z.optional(
    z.object({ refunds: z.optional(z.array(refund)), chargebacks: z.optional(z.array(chargeback)) }),
  ),
})
export type MolliePayment = z.infer<typeof molliePayment>
export type MollieRefund = z.infer<typeof refund>
export type MollieChargeback = z.infer<typeof chargeback>
