import type { FastifyRequest } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import type { OddEvent, ProviderEvent } from '../payment-events.ts'
import type { TopUpRow } from '../top-up-queries.ts'

/** One way for money to come in. */
export type Provider = {
  name: ProviderName
  /** False for an amount (minor units) that is finer than the provider counts. Absent for a provider that takes any. */
  canCharge?(amount: bigint, currency: string): boolean
  /**
   * Announces a committed top-up to the provider and returns the URL of its payment page; null if it has none. Called
   * again after an interruption, it must return the same URL. Throws 503 `payment_provider_unavailable`.
   */
  begin(app: App, topUp: TopUpRow): Promise<string | null>
  /**
   * Reads an event that came over the network, after its signature was checked; undefined if it is not ours.
   * Throws 400 `bad_signature`. Absent for a provider that sends no events.
   */
  readEvent?(app: App, request: FastifyRequest): Promise<ProviderEvent | OddEvent | undefined>
}
