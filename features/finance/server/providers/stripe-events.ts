import type Stripe from 'stripe'
import type { ProviderEvent } from '../payment-events.ts'

/**
 * Returns an event of Stripe in this product's terms; undefined if it changes no top-up, like an event over 0. Some payment methods
 * complete the checkout first and pay days later. A dispute names the payment only. A refund in Stripe's dashboard takes money back too.
 * A won dispute and a failed refund are told by two events or more, which return the money once.
 */
export function parseStripeEvent(event: Stripe.Event): ProviderEvent | undefined {
  const base = { provider: 'stripe', event_id: event.id, top_up: null, reason: '' } as const
  // An amount of null stands for the whole payment, and must not be made of 0.
  const moved = (payment: OfPayment, kind: 'charged_back' | 'reinstated') =>
    payment.amount === 0 ? undefined : { ...base, kind, ...ofPayment(payment) }
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return event.data.object.payment_status === 'paid'
        ? { ...base, kind: 'paid', ...ofSession(event.data.object) }
        : undefined
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return { ...base, kind: 'failed', ...ofSession(event.data.object) }
    case 'charge.dispute.funds_withdrawn':
      return moved(event.data.object, 'charged_back')
    case 'charge.dispute.funds_reinstated':
      return moved(event.data.object, 'reinstated')
    case 'charge.dispute.closed':
      return event.data.object.status === 'won' ? moved(event.data.object, 'reinstated') : undefined
    case 'refund.created':
      return moved(event.data.object, 'charged_back')
    case 'refund.failed':
      return moved(event.data.object, 'reinstated')
    case 'refund.updated':
    case 'charge.refund.updated':
      return hasFailed(event.data.object) ? moved(event.data.object, 'reinstated') : undefined
    default:
      return undefined
  }
}

const hasFailed = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

type PaymentDetails = Pick<ProviderEvent, 'top_up' | 'payment_reference' | 'amount' | 'currency'>

const ofSession = (session: Stripe.Checkout.Session): PaymentDetails => ({
  top_up: session.client_reference_id,
  payment_reference: idOf(session.payment_intent),
  amount: minor(session.amount_total),
  currency: session.currency?.toUpperCase() ?? null,
})

/** A dispute or a refund. */
type OfPayment = {
  id: string
  payment_intent: string | { id: string } | null
  amount: number
  currency: string
}

const ofPayment = ({ id, payment_intent, amount, currency }: OfPayment) => ({
  top_up: null,
  taken_by: id,
  payment_reference: idOf(payment_intent),
  amount: minor(amount),
  currency: currency.toUpperCase(),
})

const idOf = (given: string | { id: string } | null): string | null =>
  typeof given === 'object' ? (given?.id ?? null) : given

/** Returns an amount of Stripe (a whole number far below 2^53) as a bigint; null for none and for zero, which is no payment. */
const minor = (amount: number | null): bigint | null => (amount ? BigInt(amount) : null)
