import type { App } from '#foundation/server/app.ts'
import type { Config } from '#foundation/server/config.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import { bank } from './bank.ts'
import { mollie } from './mollie.ts'
import type { Provider, Readiness, Subscription } from './provider.ts'
import { stripe } from './stripe.ts'
import { test } from './test.ts'

/** All providers: the one place where they are registered. */
const providers: Record<ProviderName, Provider> = { test, bank, stripe, mollie }

/** Returns the provider with this name; undefined if this installation does not offer it. */
export const offered = ({ config }: App, name: ProviderName): Provider | undefined =>
  config.payments.includes(name) ? providers[name] : undefined

/** Returns the provider with this name, even if it is no longer offered: events about earlier payments still arrive and count. */
export const providerCalled = (name: ProviderName): Provider => providers[name]

/** True where this provider can give a payment back, and the settings still have the key by which it is called. */
export const canRefund = ({ config }: App, name: ProviderName): boolean => {
  const { refund, hasKey } = providers[name]
  return refund !== undefined && hasKey?.(config) !== false
}

/** A provider that can be asked which events it sends, and the question. */
type Subscriber = { name: ProviderName; subscription: () => Promise<Subscription | undefined> }

/** The providers that can be asked which events they send. */
export const askable = (config: Config): Subscriber[] =>
  Object.values(providers).flatMap((provider) =>
    provider.subscription
      ? [{ name: provider.name, subscription: async () => provider.subscription?.(config) }]
      : [],
  )

/** A provider that can be asked if it can work as it is set up, and the question. */
type Asked = { name: ProviderName; readiness: () => Promise<Readiness | undefined> }

/** The providers that have nothing to subscribe to, and can be asked if they can work. */
export const judged = (config: Config): Asked[] =>
  Object.values(providers).flatMap((provider) =>
    provider.readiness ? [{ name: provider.name, readiness: async () => provider.readiness?.(config) }] : [],
  )
