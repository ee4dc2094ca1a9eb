import type Stripe from 'stripe'
import type { App } from '#foundation/server/app.ts'
import type { TopUpRow } from '../top-up-queries.ts'
import type { RefundAnswer, WantedRefund } from './provider.ts'
import { toStripe } from './stripe-amounts.ts'
import { clientOf } from './stripe-client.ts'

/**
 * Gives a payment back by Stripe's refunds. Stripe knows an idempotency key for a day, so a refund that may stand already is looked for by
 * the payout in its metadata first. A request that Stripe refuses is definite; everything else is thrown, and tried again: so is that a
 * refund which Stripe has taken is not there, as the key may be of another account by now.
 */
export async function refundByStripe(
  app: App,
  { payment_reference, currency }: TopUpRow,
  { payout, amount, isAgain, reference }: WantedRefund,
): Promise<RefundAnswer> {
  const counted = toStripe(amount, currency)
  if (payment_reference === null || counted === undefined)
    return { state: 'refused', reference: null, reason: '' }
  const client = await clientOf(app)
  const known = isAgain ? await refundFor(client, payment_reference, payout) : undefined
  if (known) return answerOf(known)
  if (reference !== null) throw new Error(`Stripe does not know the refund ${reference}`)
  const wanted = {
    payment_intent: payment_reference,
    // Whole units of Stripe are far below 2^53.
    amount: Number.parseInt(counted.toString(), 10),
    metadata: { payout },
  }
  try {
    return answerOf(await client.refunds.create(wanted, { idempotencyKey: `refund-${payout}` }))
  } catch (error) {
    const { Stripe: library } = await import('stripe')
    if (!(error instanceof library.errors.StripeInvalidRequestError)) throw error
    app.log.warn({ err: error }, 'finance: stripe refuses a refund')
    return { state: 'refused', reference: null, reason: '' }
  }
}

async function refundFor(client: Stripe, payment_intent: string, payout: string) {
  const made = await client.refunds.list({ payment_intent, limit: 100 }).autoPagingToArray({ limit: 1_000 })
  return made.find(({ metadata }) => metadata?.['payout'] === payout)
}

function answerOf({ id, status }: Stripe.Refund): RefundAnswer {
  if (status === 'succeeded') return { state: 'sent', reference: id, reason: '' }
  if (status === 'failed' || status === 'canceled') return { state: 'refused', reference: id, reason: '' }
  return { state: 'under_way', reference: id, reason: '' }
}
