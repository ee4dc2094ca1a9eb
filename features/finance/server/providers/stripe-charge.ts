import type Stripe from 'stripe'
import type { App } from '#foundation/server/app.ts'
import type { TopUpRow } from '../top-up-queries.ts'
import type { ChargeAnswer, SavedMethod } from './provider.ts'
import { toStripe } from './stripe-amounts.ts'
import { clientOf } from './stripe-client.ts'
import { isFinalDecline } from './stripe-declines.ts'

/** Stripe knows an idempotency key for a day; a charge that may be older is looked for first. */
const KEY_KEPT_ms = 20 * 3_600_000

/**
 * Charges a saved method by a payment intent, without its holder (`off_session`), or with the page of their bank where they are there. A charge
 * that stands is asked for its state and not made again. A decline is an answer; what says nothing definite is thrown.
 */
export async function chargeByStripe(
  app: App,
  payment: TopUpRow,
  method: SavedMethod,
  back?: string,
): Promise<ChargeAnswer> {
  const client = await clientOf(app)
  const known = await intentOf(client, payment, method)
  if (known) return answerOf(known, await pageOf(client, known, method, back))
  const counted = toStripe(payment.amount, payment.currency)
  if (counted === undefined) return declined(null, 'amount_too_fine', false)
  const wanted = {
    // Whole units of Stripe are far below 2^53.
    amount: Number.parseInt(counted.toString(), 10),
    currency: payment.currency.toLowerCase(),
    customer: method.customer_ref,
    payment_method: method.provider_ref,
    payment_method_types: [method.kind],
    confirm: true,
    metadata: { top_up: payment.public_id, method: method.id },
    ...(back === undefined ? { off_session: true } : { return_url: back }),
  }
  try {
    const options = { idempotencyKey: `charge-${payment.public_id}` }
    return answerOf(await client.paymentIntents.create(wanted, options))
  } catch (error) {
    return answerToError(app, error)
  }
}

/** Returns the page of the bank for a charge that waits for its holder, which is asked for anew where it failed. */
export async function finishByStripe(
  app: App,
  payment: TopUpRow,
  method: SavedMethod,
  back: string,
): Promise<string | null> {
  const client = await clientOf(app)
  const intent = await intentOf(client, payment, method)
  return intent ? pageOf(client, intent, method, back) : null
}

/** Returns what became of the charge of a payment, which is ended if it waits for its holder; undefined if none was made. */
export async function endByStripe(
  app: App,
  payment: TopUpRow,
  method: SavedMethod,
): Promise<ChargeAnswer | undefined> {
  const client = await clientOf(app)
  const intent = await madeFor(client, payment, method)
  if (!intent) return undefined
  return answerOf(waitsForHolder(intent) ? await client.paymentIntents.cancel(intent.id) : intent)
}

/** Returns the intent of a payment; undefined where none may be known, and Stripe would answer with it by its key. */
async function intentOf(
  client: Stripe,
  payment: TopUpRow,
  method: SavedMethod,
): Promise<Stripe.PaymentIntent | undefined> {
  const isKeyKept = Date.now() - payment.created_at.getTime() < KEY_KEPT_ms
  return payment.charge_reference === null && isKeyKept ? undefined : madeFor(client, payment, method)
}

/** Returns the intent of a payment, by the id that its answer told, or by its name where that answer may be lost. */
async function madeFor(
  client: Stripe,
  { public_id, charge_reference }: TopUpRow,
  { customer_ref }: SavedMethod,
): Promise<Stripe.PaymentIntent | undefined> {
  if (charge_reference !== null) return client.paymentIntents.retrieve(charge_reference)
  const made = await client.paymentIntents
    .list({ customer: customer_ref, limit: 100 })
    .autoPagingToArray({ limit: 1_000 })
  return made.find(({ metadata }) => metadata['top_up'] === public_id)
}

async function pageOf(
  client: Stripe,
  intent: Stripe.PaymentIntent,
  { provider_ref }: SavedMethod,
  back: string | undefined,
): Promise<string | null> {
  if (back === undefined || !waitsForHolder(intent)) return null
  if (intent.status === 'requires_action') return redirectOf(intent)
  const wanted = { payment_method: provider_ref, return_url: back }
  return redirectOf(await client.paymentIntents.confirm(intent.id, wanted))
}

const redirectOf = ({ next_action }: Stripe.PaymentIntent): string | null =>
  next_action?.redirect_to_url?.url ?? null

const waitsForHolder = ({ status, last_payment_error }: Stripe.PaymentIntent): boolean =>
  status === 'requires_action' ||
  (status === 'requires_payment_method' && last_payment_error?.code === 'authentication_required')

function answerOf(intent: Stripe.PaymentIntent, page: string | null = redirectOf(intent)): ChargeAnswer {
  const answer = { reference: intent.id, reason: '', isFinal: false, url: null }
  if (waitsForHolder(intent)) return { ...answer, state: 'action_needed', url: page }
  switch (intent.status) {
    case 'succeeded':
      return { ...answer, state: 'paid' }
    case 'processing':
    case 'requires_capture':
    case 'requires_confirmation':
      return { ...answer, state: 'under_way' }
    default: {
      const { code, decline_code } = intent.last_payment_error ?? {}
      const reason = decline_code ?? code ?? ''
      return declined(intent.id, reason, isFinalDecline(reason))
    }
  }
}

const declined = (reference: string | null, reason: string, isFinal: boolean): ChargeAnswer => ({
  state: 'declined',
  reference,
  reason,
  isFinal,
  url: null,
})

type Declined = { code?: string; decline_code?: string; payment_intent?: { id: string } }

function answerToDecline({ code = '', decline_code, payment_intent }: Declined): ChargeAnswer {
  const reference = payment_intent?.id ?? null
  const reason = decline_code ?? code
  if (reason === 'authentication_required')
    return { state: 'action_needed', reference, reason: '', isFinal: false, url: null }
  return declined(reference, reason, isFinalDecline(reason))
}

/** A card that is declined, or that its holder must allow, comes as an error; so does a method that Stripe has not any more. */
async function answerToError(app: App, error: unknown): Promise<ChargeAnswer> {
  const { Stripe: library } = await import('stripe')
  if (error instanceof library.errors.StripeCardError) return answerToDecline(error)
  if (error instanceof library.errors.StripeInvalidRequestError) {
    app.log.warn({ err: error }, 'finance: stripe refuses a charge')
    const isGone = error.code === 'resource_missing' || error.code === 'payment_method_unexpected_state'
    return declined(null, error.code ?? '', isGone)
  }
  throw error
}
