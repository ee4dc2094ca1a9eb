import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type Stripe from 'stripe'
import type { EventKind } from '#features/finance/payment-events.ts'
import { knownDigits } from '#foundation/currencies.ts'
import type { OddEvent, ProviderEvent } from '../provider-event.ts'
import { fromStripe } from './stripe-amounts.ts'
import { isFinalDecline } from './stripe-declines.ts'
import { stripeMethodEvents } from './stripe-methods.ts'

/** The events that say something of money, and what. */
const moneyEvents = {
  'checkout.session.completed': 'paid',
  'checkout.session.async_payment_succeeded': 'paid',
  'checkout.session.async_payment_failed': 'failed',
  'checkout.session.expired': 'failed',
  'charge.dispute.funds_withdrawn': 'charged_back',
  'charge.dispute.funds_reinstated': 'reinstated',
  'charge.dispute.closed': 'reinstated',
  'refund.created': 'charged_back',
  'refund.failed': 'reinstated',
  'refund.updated': 'reinstated',
  'charge.refund.updated': 'reinstated',
  'payment_intent.succeeded': 'paid',
  'payment_intent.payment_failed': 'failed',
  'payment_intent.canceled': 'failed',
} as const satisfies { [Type in Stripe.Event['type']]?: EventKind }

/**
 * The events that Stripe must send. The handler reads these and no others, `doctor` compares them with what Stripe sends, and
 * docs/operate/payments.md names each.
 */
export const stripeEvents: readonly string[] = [...Object.keys(moneyEvents), ...stripeMethodEvents]

type Handled = Extract<Stripe.Event, { type: keyof typeof moneyEvents }>

const isHandled = (event: Stripe.Event): event is Handled => Object.hasOwn(moneyEvents, event.type)

/**
 * Returns an event of Stripe in this product's terms; undefined if it changes no top-up, like an event over 0. One that does not say what it
 * must is odd and set aside (rule 51): refused, Stripe would send it again for days, and in the end send none at all.
 */
export function parseStripeEvent(event: Stripe.Event): ProviderEvent | OddEvent | undefined {
  if (!isHandled(event)) return undefined
  try {
    const read = readEvent(event)
    return read === undefined || isSound(read) ? read : oddEvent(event)
  } catch {
    return oddEvent(event)
  }
}

const oddEvent = (event: Handled): OddEvent => ({
  provider: 'stripe',
  // The list is keyed by the id, and an odd event may have none.
  event_id: name.safeParse(event.id).success
    ? event.id
    : createHash('sha256').update(JSON.stringify(event)).digest('hex'),
  kind: moneyEvents[event.type],
  isOdd: true,
  reason: event.type,
})

const name = z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/))
const sound = z.object({
  event_id: name,
  top_up: z.nullable(
    z.string().check(
      z.maxLength(255),
      z.refine((text) => text.isWellFormed() && !text.includes('\0')),
    ),
  ),
  payment_reference: z.nullable(name),
  amount: z.nullable(z.bigint().check(z.positive(), z.maximum(999_999_999_999_999n))),
  currency: z.nullable(z.string().check(z.regex(/^[A-Z]{3}$/))),
})

/** True if an event says all that it must: without an amount and its currency it would stand for the whole payment. */
const isSound = (event: ProviderEvent): boolean =>
  sound.safeParse(event).success &&
  (event.kind === 'failed' || (event.amount !== null && event.currency !== null))

/**
 * Some payment methods complete the checkout first and pay days later. A dispute names the payment only. A refund in Stripe's dashboard takes
 * money back too. A won dispute and a failed refund are told by two events or more, which return the money once.
 */
function readEvent(event: Handled): ProviderEvent | undefined {
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
      return { ...base, kind: 'failed', ...ofSession(event.data.object), wasTried: true }
    case 'checkout.session.expired':
      return { ...base, kind: 'failed', ...ofSession(event.data.object) }
    case 'charge.dispute.funds_withdrawn': {
      const taken = moved(event.data.object, 'charged_back')
      return taken && { ...taken, stopsMethod: true }
    }
    case 'charge.dispute.funds_reinstated':
      return moved(event.data.object, 'reinstated')
    case 'charge.dispute.closed':
      return event.data.object.status === 'won' ? moved(event.data.object, 'reinstated') : undefined
    case 'refund.created':
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.refund.updated': {
      const refund = event.data.object
      const payout = refund.metadata?.['payout']
      const kind = payout === undefined ? kindByHand(event.type, refund) : kindAsked(event.type, refund)
      const told = kind && moved(refund, kind)
      return told && { ...told, ...(payout === undefined ? { isByHand: true } : { payout }) }
    }
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return readCharge(event.data.object, moneyEvents[event.type], base)
    default:
      return event satisfies never
  }
}

/**
 * Reads the end of a charge of a saved method. Payments on a page of Checkout have an intent, too, of which several cards may be declined before
 * one pays: they end with their page. A charge that waits for its holder has not failed.
 */
function readCharge(
  intent: Stripe.PaymentIntent,
  kind: 'paid' | 'failed',
  base: Pick<ProviderEvent, 'provider' | 'event_id' | 'top_up' | 'reason'>,
): ProviderEvent | undefined {
  const { metadata, last_payment_error, currency } = intent
  if (metadata['method'] === undefined) return undefined
  const error = kind === 'paid' ? null : last_payment_error
  if (error?.code === 'authentication_required') return undefined
  const reason = error?.decline_code ?? error?.code ?? ''
  return {
    ...base,
    kind,
    top_up: metadata['top_up'] ?? null,
    payment_reference: intent.id,
    amount: minor(kind === 'paid' ? intent.amount_received : intent.amount, currency),
    currency: currency.toUpperCase(),
    reason: reason.slice(0, 100),
    stopsMethod: isFinalDecline(reason),
  }
}

type RefundEvent = 'refund.created' | 'refund.failed' | 'refund.updated' | 'charge.refund.updated'

/** A refund in Stripe's dashboard takes the money with its first event, as nothing here has taken it before. */
const kindByHand = (type: RefundEvent, refund: Stripe.Refund) =>
  type === 'refund.created' ? 'charged_back' : kindOfFailed(type, refund)

/** A refund that a payout asked for has left the balance already, so that it counts once it has succeeded. */
const kindAsked = (type: RefundEvent, refund: Stripe.Refund) =>
  kindOfFailed(type, refund) ?? (refund.status === 'succeeded' ? 'charged_back' : undefined)

const kindOfFailed = (type: RefundEvent, refund: Stripe.Refund) =>
  type === 'refund.failed' || hasFailed(refund) ? 'reinstated' : undefined

const hasFailed = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

type PaymentDetails = Pick<ProviderEvent, 'top_up' | 'payment_reference' | 'amount' | 'currency'>

const ofSession = (session: Stripe.Checkout.Session): PaymentDetails => ({
  top_up: session.client_reference_id,
  payment_reference: idOf(session.payment_intent),
  amount: minor(session.amount_total, session.currency),
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
  amount: minor(amount, currency),
  currency: currency.toUpperCase(),
})

const idOf = (given: string | { id: string } | null): string | null =>
  typeof given === 'object' ? (given?.id ?? null) : given

/**
 * Returns an amount of Stripe (a whole number far below 2^53) in minor units; null for none and for zero, which is no payment. Money of an
 * unknown currency stays as Stripe counted it: it is not booked.
 */
function minor(amount: number | null, given: string | null): bigint | null {
  if (!amount) return null
  const currency = given?.toUpperCase() ?? ''
  return knownDigits(currency) === undefined ? BigInt(amount) : fromStripe(BigInt(amount), currency)
}
