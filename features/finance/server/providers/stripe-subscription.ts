import type { Config } from '#foundation/server/config.ts'
import type { Subscription } from './provider.ts'
import { clientOf } from './stripe-client.ts'
import { stripeEvents } from './stripe-events.ts'

/**
 * Asks Stripe which events it sends here, in the mode of the key: test or live. Several endpoints with our address count together. Undefined
 * without a key. Throws the error of Stripe's library if Stripe does not answer or the key may not ask.
 */
export async function stripeSubscription(config: Config): Promise<Subscription | undefined> {
  if (!config.stripe.secretKey) return undefined
  const url = `${config.publicOrigin}/api/payments/stripe/events/`
  const client = await clientOf({ config })
  const endpoints = await client.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
  const ours = endpoints.filter((endpoint) => endpoint.url === url)
  const sending = ours.filter(({ status }) => status === 'enabled')
  const sent = new Set(sending.flatMap(({ enabled_events }) => enabled_events))
  const missing = sent.has('*') ? [] : stripeEvents.filter((type) => !sent.has(type))
  return { url, state: sending.length > 0 ? 'sending' : ours.length > 0 ? 'disabled' : 'none', missing }
}
