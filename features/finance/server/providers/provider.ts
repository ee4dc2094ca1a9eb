import type { FastifyRequest } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import type { Config } from '#foundation/server/config.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import type { OddEvent, ProviderEvent } from '../provider-event.ts'
import type { TopUpRow } from '../top-up-queries.ts'

/**
 * One way for money to come in. All that the rest of the product knows of a provider is here: a new one is a file beside this one, a name in
 * `providerNames`, and an entry wherever the compiler then asks for one.
 */
export type Provider = {
  name: ProviderName
  /** True if the customer cannot pay another amount than the announced one. */
  fixesAmount?: boolean
  /** False for an amount (minor units) that is finer than the provider counts. Absent for a provider that takes any. */
  canCharge?(amount: bigint, currency: string): boolean
  /**
   * Announces a committed payment to the provider and returns the URL of its page; null if it has none. The page leads back to `back` when it is
   * left. Called again after an interruption, it must return the same URL. Throws 503 `payment_provider_unavailable`.
   */
  begin(app: App, payment: TopUpRow, back: string): Promise<string | null>
  /**
   * Reads an event that came over the network, after its signature was checked; undefined if it is not ours. A provider whose calls say only
   * that a payment has changed is asked, and may tell several, in the order in which they are booked; those that were told before count once.
   * Throws 400 `bad_signature`, 503 `payment_provider_unavailable`. Absent for a provider that sends no events.
   */
  readEvent?(app: App, request: FastifyRequest): Promise<ToldEvent | readonly ToldEvent[] | undefined>
  /**
   * Gives money of a paid top-up back to the card or account that it came from, once for each payout however often it is called. Throws the
   * provider's own error where it does not answer, or says nothing definite. Absent for a provider that cannot do it.
   */
  refund?(app: App, payment: TopUpRow, wanted: WantedRefund): Promise<RefundAnswer>
  /**
   * Asks the provider which events it sends here; undefined if it is not set up. Throws the provider's own error if it does not answer. Absent
   * for a provider that cannot be asked.
   */
  subscription?(config: Config): Promise<Subscription | undefined>
  /** Asks a provider that has nothing to subscribe to if it can work as it is set up; as `subscription` otherwise. */
  readiness?(config: Config): Promise<Readiness | undefined>
}

type ToldEvent = ProviderEvent | OddEvent

/** The refund of a part of a payment that a payout asks for; the amount in minor units. */
export type WantedRefund = {
  /** The public id of the payout: the idempotency key, and the name by which the refund is found again. */
  payout: string
  amount: bigint
  /** True where the provider may have been asked before. */
  isAgain: boolean
}

/**
 * The answer of a provider to a refund. `sent` and `refused` are definite; `under_way` is ended by an event. `reference` is the provider's own id
 * of the refund.
 */
export type RefundAnswer = {
  state: 'sent' | 'under_way' | 'refused'
  reference: string | null
  /** The provider's reason for a refusal; otherwise empty. */
  reason: string
}

/** The events that a provider sends to this installation: the address to which it sends them, and those it must send and does not. */
export type Subscription = { url: string; state: 'none' | 'disabled' | 'sending'; missing: string[] }

/** The things that hinder a provider, as ends of a sentence that begins with its name; `fine` is that of a provider that nothing hinders. */
export type Readiness = { fine: string; problems: string[] }
