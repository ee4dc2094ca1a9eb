import type { FastifyRequest } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import type { ProviderEvent } from '../payment-events.ts'
import type { TopUpRow } from '../top-up-queries.ts'

/** One way for money to come in. */
export type Provider = {
  name: ProviderName
  /**
   * Tells the provider of a top-up that is committed, and answers where to pay; null where one pays elsewhere. Asked again
   * after an interruption, it must answer the same. Throws 503 `payment_provider_unavailable`.
   */
  begin(app: App, topUp: TopUpRow): Promise<string | null>
  /**
   * Reads an event that came over the network, after its signature was checked; undefined for one that is none of ours.
   * Throws 400 `bad_signature`. Absent where nobody sends any.
   */
  readEvent?(app: App, request: FastifyRequest): Promise<ProviderEvent | undefined>
}
