import type Stripe from 'stripe'
import type { App } from '#foundation/server/app.ts'

// Stripe's library is loaded on first use: it is large, and most installations never use it.
const clients = new WeakMap<App['config'], Promise<Stripe>>()

export function clientOf({ config }: Pick<App, 'config'>): Promise<Stripe> {
  const client = clients.get(config) ?? makeClient(config)
  clients.set(config, client)
  return client
}

async function makeClient({ stripe: { secretKey, apiOrigin } }: App['config']): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const server = apiOrigin === undefined ? undefined : new URL(apiOrigin)
  return new Stripe(secretKey?.reveal() ?? '', {
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    ...(server && {
      host: server.hostname,
      port: server.port,
      protocol: server.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  })
}
