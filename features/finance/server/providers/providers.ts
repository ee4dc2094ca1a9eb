import type { App } from '#foundation/server/app.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import type { Provider } from './provider.ts'
import { stripe } from './stripe.ts'
import { test } from './test.ts'

/** A bank transfer: the customer writes the reference on it, and a member of staff confirms its arrival. */
const bank: Provider = { name: 'bank', begin: async () => null }

const providers: Record<ProviderName, Provider> = { test, bank, stripe }

/** Returns the provider with this name; undefined if this installation does not offer it. */
export const offered = ({ config }: App, name: ProviderName): Provider | undefined =>
  config.payments.includes(name) ? providers[name] : undefined

/** Returns the provider with this name, even if it is no longer offered: events about earlier payments still arrive and count. */
export const providerCalled = (name: ProviderName): Provider => providers[name]
