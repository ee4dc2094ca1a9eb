import type Stripe from 'stripe'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { MethodEvent, SavedDetails } from '#features/finance/method-events.ts'
import type { MethodKind } from '#features/finance/rules.ts'
import type { SavedMethod, WantedMethod } from './provider.ts'
import { clientOf } from './stripe-client.ts'

/** Direct debits are taken in euros alone. */
export const stripeMethodKinds = ({ config }: Pick<App, 'config'>): readonly MethodKind[] =>
  config.currency === 'EUR' ? ['card', 'sepa_debit'] : ['card']

/**
 * Makes a customer of its own for a method, and returns the page of Checkout that saves it: Stripe lets it be charged without its holder then
 * (`off_session`). Both are made once for each method, by its id.
 */
export async function saveByStripe(app: App, wanted: WantedMethod, back: string): Promise<string> {
  const { id, kind, locale } = wanted
  const metadata = { method: id }
  try {
    const { customers, checkout } = await clientOf(app)
    const customer = await customers.create({ metadata }, { idempotencyKey: `customer-${id}` })
    const page = {
      mode: 'setup',
      customer: customer.id,
      payment_method_types: [kind],
      client_reference_id: id,
      metadata,
      setup_intent_data: { metadata },
      locale,
      success_url: back,
      cancel_url: back,
    } as const
    const { url } = await checkout.sessions.create(page, { idempotencyKey: `save-${id}` })
    if (url === null) throw new Error('a session of Checkout has no page')
    return url
  } catch (error) {
    app.log.error({ err: error }, 'finance: stripe makes no page to save a method')
    throw new HttpError(503, [{ code: 'payment_provider_unavailable' }], 30)
  }
}

/** Deletes the customer that was made for a method, and so the method. */
export async function forgetByStripe(app: App, { customer_ref }: SavedMethod): Promise<void> {
  const { customers } = await clientOf(app)
  try {
    await customers.del(customer_ref)
  } catch (error) {
    const { Stripe: library } = await import('stripe')
    if (error instanceof library.errors.StripeError && error.code === 'resource_missing') return
    throw error
  }
}

/** The events about saved methods that Stripe must send; those of pages that save one are among the events of payments. */
export const stripeMethodEvents = [
  'payment_method.automatically_updated',
  'payment_method.detached',
  'mandate.updated',
] as const

/**
 * Returns the event about a saved method that an event of Stripe tells; undefined for all others. An event of Checkout names what was saved and
 * does not describe it, so Stripe is asked. Throws 503 `payment_provider_unavailable` where it does not answer: the event is sent again.
 */
export async function readMethodEvent(app: App, event: Stripe.Event): Promise<MethodEvent | undefined> {
  const base = { provider: 'stripe', event_id: event.id } as const
  switch (event.type) {
    case 'checkout.session.completed': {
      const { mode, setup_intent, metadata } = event.data.object
      const method = metadata?.['method']
      if (mode !== 'setup' || setup_intent === null || method === undefined) return undefined
      const saved = await savedBy(app, typeof setup_intent === 'string' ? setup_intent : setup_intent.id)
      return saved && { ...base, kind: 'method_saved', method, saved }
    }
    case 'payment_method.automatically_updated': {
      const saved = detailsOf(event.data.object)
      return saved && { ...base, kind: 'method_saved', method: null, saved }
    }
    case 'payment_method.detached':
      return { ...base, kind: 'method_gone', provider_ref: event.data.object.id }
    case 'mandate.updated': {
      const { status, payment_method } = event.data.object
      if (status !== 'inactive') return undefined
      return { ...base, kind: 'method_gone', provider_ref: idOf(payment_method) }
    }
    default:
      return undefined
  }
}

async function savedBy(app: App, setup_intent: string): Promise<SavedDetails | undefined> {
  const { setupIntents } = await clientOf(app)
  const whole = { expand: ['payment_method', 'mandate'] }
  const { payment_method, mandate } = await setupIntents
    .retrieve(setup_intent, whole)
    .catch((error: unknown) => {
      app.log.error({ err: error }, 'finance: stripe does not say what was saved')
      throw new HttpError(503, [{ code: 'payment_provider_unavailable' }], 30)
    })
  if (payment_method === null || typeof payment_method === 'string') return undefined
  return detailsOf(payment_method, mandate)
}

const brands: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

function detailsOf(
  { id, customer, card, sepa_debit }: Stripe.PaymentMethod,
  mandate: Stripe.Mandate | string | null = null,
): SavedDetails | undefined {
  const references = { provider_ref: id, customer_ref: customer === null ? '' : idOf(customer) }
  const debit = typeof mandate === 'object' ? mandate?.payment_method_details.sepa_debit : undefined
  if (card) {
    const expires = new Date(Date.UTC(card.exp_year, card.exp_month, 0)).toISOString().slice(0, 10)
    const brand = brands[card.brand] ?? ''
    const fingerprint = card.fingerprint ?? ''
    return { ...references, fingerprint, kind: 'card', brand, last4: card.last4, expires, mandate_ref: null }
  }
  if (!sepa_debit) return undefined
  const mandate_ref = debit?.reference ?? null
  return {
    ...references,
    fingerprint: sepa_debit.fingerprint ?? '',
    kind: 'sepa_debit',
    brand: '',
    last4: sepa_debit.last4 ?? '',
    expires: null,
    mandate_ref,
  }
}

const idOf = (given: string | { id: string }): string => (typeof given === 'string' ? given : given.id)
