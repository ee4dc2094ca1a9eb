import * as z from 'zod/mini'
import type Stripe from 'stripe'
import type { App } from '#foundation/server/app.ts'
import { signedText } from '#foundation/server/http/bodies.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import type { Secret } from '#foundation/server/secret.ts'
import type { TopUpRow } from '../top-up-queries.ts'
import type { Provider } from './provider.ts'
import { toStripe } from './stripe-amounts.ts'
import { chargeByStripe, endByStripe, finishByStripe } from './stripe-charge.ts'
import { clientOf } from './stripe-client.ts'
import { parseStripeEvent } from './stripe-events.ts'
import { forgetByStripe, readMethodEvent, saveByStripe, stripeMethodKinds } from './stripe-methods.ts'
import { refundByStripe } from './stripe-refund.ts'
import { stripeSubscription } from './stripe-subscription.ts'

/**
 * Cards and Stripe's other methods, on Stripe's own page (Checkout). No card number ever reaches this server.
 */
export const stripe: Provider = {
  name: 'stripe',
  hasKey: (config) => config.stripe.secretKey !== undefined,
  fixesAmount: true,
  canCharge: (amount, currency) => toStripe(amount, currency) !== undefined,
  async begin(app, topUp, back) {
    if (topUp.redirect_url !== null) return topUp.redirect_url
    try {
      const session = await (
        await clientOf(app)
      ).checkout.sessions.create(await sessionFor(app, topUp, back), {
        // A second call after an interruption gets the same session from Stripe.
        idempotencyKey: topUp.public_id,
      })
      return session.url
    } catch (error) {
      app.log.error({ err: error }, 'finance: stripe makes no checkout session')
      throw new HttpError(503, [{ code: 'payment_provider_unavailable' }], 30)
    }
  },
  async readEvent(app, request) {
    const { webhookSecret } = app.config.stripe
    const signature = request.headers['stripe-signature']
    if (!webhookSecret || typeof signature !== 'string') throw badRequest('bad_signature')
    const { webhooks } = await clientOf(app)
    const event = verified(app, webhooks, signedText(request), signature, webhookSecret)
    const method = await readMethodEvent(app, event)
    if (method) return method
    const told = parseStripeEvent(event)
    if (!told || 'isOdd' in told || told.kind !== 'paid' || told.payment_reference === null) return told
    return { ...told, paid_from: await payingCountry(app, told.payment_reference) }
  },
  refund: refundByStripe,
  methodKinds: stripeMethodKinds,
  saveMethod: saveByStripe,
  charge: chargeByStripe,
  finishCharge: finishByStripe,
  endCharge: endByStripe,
  forgetMethod: forgetByStripe,
  subscription: stripeSubscription,
}

const methods = z.object({ type: z.string() })
const country = z.string().check(z.regex(/^[A-Z]{2}$/))

/**
 * Asks Stripe for the country of the card or account that paid; null without an answer: money is booked all the same. An event of
 * Checkout does not say it.
 */
async function payingCountry(app: App, payment: string): Promise<string | null> {
  try {
    const { paymentIntents } = await clientOf(app)
    const once = { timeout: 3_000, maxNetworkRetries: 0 }
    const { latest_charge: charge } = await paymentIntents.retrieve(
      payment,
      { expand: ['latest_charge'] },
      once,
    )
    const details: unknown = typeof charge === 'object' ? charge?.payment_method_details : undefined
    const { type } = methods.parse(details)
    const found = z.object({ [type]: z.object({ country }) }).safeParse(details)
    return found.success ? (found.data[type]?.country ?? null) : null
  } catch (error) {
    app.log.warn({ err: error }, 'finance: stripe does not say from where a payment came')
    return null
  }
}

/** Returns the event that Stripe signed. Throws 400 `bad_signature`. */
function verified(
  app: App,
  webhooks: Stripe['webhooks'],
  text: string,
  signature: string,
  secret: Secret,
): Stripe.Event {
  try {
    return webhooks.constructEvent(text, signature, secret.reveal())
  } catch (error) {
    app.log.warn({ err: error }, 'finance: an event that stripe did not sign')
    throw badRequest('bad_signature')
  }
}

async function sessionFor(
  { config }: App,
  { amount, currency, public_id }: TopUpRow,
  back: string,
): Promise<Stripe.Checkout.SessionCreateParams> {
  const counted = toStripe(amount, currency)
  if (counted === undefined) throw new Error(`stripe cannot charge ${amount} of ${currency}`)
  const { Stripe } = await import('stripe')
  return {
    mode: 'payment',
    client_reference_id: public_id,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          // The amount is sent as a decimal, so that none goes through a float.
          unit_amount_decimal: Stripe.Decimal.from(counted),
          product_data: { name: config.operator.name },
        },
      },
    ],
    metadata: { top_up: public_id },
    payment_intent_data: { metadata: { top_up: public_id } },
    success_url: back,
    cancel_url: back,
  }
}
