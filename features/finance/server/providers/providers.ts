import type { App } from '#foundation/server/app.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import { bank } from './bank.ts'
import type { Provider } from './provider.ts'
import { stripe } from './stripe.ts'
import { test } from './test.ts'

const providers: Record<ProviderName, Provider> = { test, bank, stripe }

/** The provider of a name, undefined if this installation does not offer it. */
export const offered = ({ config }: App, name: ProviderName): Provider | undefined =>
  config.payments.includes(name) ? providers[name] : undefined

/**
 * Includes providers that are no longer offered: events about earlier payments still arrive and still count.
 */
export const providerCalled = (name: ProviderName): Provider => providers[name]
