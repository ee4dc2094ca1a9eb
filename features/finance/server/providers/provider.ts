import type { FastifyRequest } from 'fastify'
import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Config } from '#foundation/server/config.ts'
import type { MethodKind, ProviderName } from '#features/finance/rules.ts'
import type { MethodEvent, SavedDetails } from '#features/finance/method-events.ts'
import type { OddEvent, ProviderEvent } from '../provider-event.ts'
import type { TopUpRow } from '../top-up-queries.ts'

/**
 * One way for money to come in. All that the rest of the product knows of a provider is here: a new one is a file beside this one, a name in
 * `providerNames`, and an entry wherever the compiler then asks for one.
 */
export type Provider = {
  name: ProviderName
  /** True where the settings have the key of its calls. Absent for a provider that is not called. */
  hasKey?(config: Config): boolean
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
  readEvent?(app: App, request: FastifyRequest): Promise<AnyEvent | readonly AnyEvent[] | undefined>
  /**
   * Gives money of a paid top-up back to the card or account that it came from, once for each payout however often it is called; called
   * again, it tells what became of it. Throws the provider's own error where it does not answer, or says nothing definite. Absent for a
   * provider that cannot do it.
   */
  refund?(app: App, payment: TopUpRow, wanted: WantedRefund): Promise<RefundAnswer>
  /** The kinds of methods that it keeps for this installation. Absent for a provider that keeps none; then the next five are absent, too. */
  methodKinds?(app: Pick<App, 'config'>): readonly MethodKind[]
  /**
   * Returns the URL of the page on which a customer saves a method. The page leads back to `back`. Called again with the same id, it returns
   * the same page. The signed event `method_saved` names the id. Throws 503 `payment_provider_unavailable`.
   */
  saveMethod?(app: App, wanted: WantedMethod, back: string): Promise<string>
  /**
   * Charges a committed payment to a saved method, once however often it is called: the payment's public id is the idempotency key. It is
   * called outside of any transaction, and its answer books nothing: only the signed event does. With `back` the customer is there, and may
   * be led to a page that leads back to it. Throws the provider's own error where it does not answer, or says nothing definite.
   */
  charge?(app: App, payment: TopUpRow, method: SavedMethod, back?: string): Promise<ChargeAnswer>
  /**
   * Returns the page on which the customer allows a charge that was answered by `action_needed`; null if there is nothing to allow any more.
   * `payment.charge_reference` is the `reference` of that answer. Absent for a provider that never answers so.
   */
  finishCharge?(app: App, payment: TopUpRow, method: SavedMethod, back: string): Promise<string | null>
  /**
   * Looks up the charge of a payment that is wanted no more, however old it is, and makes none; one that waits for its customer is ended, where
   * the provider can do that. Returns what has become of it; undefined if none was made. A call of `charge` that is under way may be missed.
   * Throws the provider's own error. A provider with `charge` has it.
   */
  endCharge?(app: App, payment: TopUpRow, method: SavedMethod): Promise<ChargeAnswer | undefined>
  /** Has the provider forget a method and whose it was; one that it does not know is forgotten. Throws the provider's own error. */
  forgetMethod?(app: App, method: SavedMethod): Promise<void>
  /**
   * Asks the provider which events it sends here; undefined if it is not set up. Throws the provider's own error if it does not answer. Absent
   * for a provider that cannot be asked.
   */
  subscription?(config: Config): Promise<Subscription | undefined>
  /** Asks a provider that has nothing to subscribe to if it can work as it is set up; as `subscription` otherwise. */
  readiness?(config: Config): Promise<Readiness | undefined>
}

export type AnyEvent = ProviderEvent | OddEvent | MethodEvent

/** A method that a customer is about to save. */
export type WantedMethod = {
  /** The public id of the method: the idempotency key, and the name by which the event tells that it is saved. */
  id: string
  kind: MethodKind
  /** The language of the page. */
  locale: Locale
}

/** A saved method, as its provider knows it. */
export type SavedMethod = Pick<SavedDetails, 'kind' | 'provider_ref' | 'customer_ref' | 'mandate_ref'> & {
  /** Its public id. */
  id: string
}

/**
 * The answer of a provider to a charge. `paid` and `under_way` wait for the signed event, which may come in a second or in days;
 * `action_needed` for the customer, on the page `url` or on that of `finishCharge`; `declined` has moved nothing.
 */
export type ChargeAnswer = {
  state: 'paid' | 'under_way' | 'action_needed' | 'declined'
  /** The provider's own id of the charge; null if it has made none. */
  reference: string | null
  /** The provider's code of a decline; otherwise empty. */
  reason: string
  /** True of a decline after which no other charge of this method can succeed. */
  isFinal: boolean
  /** The page for the customer who is there, if `state` is `action_needed`. */
  url: string | null
}

/** The refund of a part of a payment that a payout asks for; the amount in minor units. */
export type WantedRefund = {
  /** The public id of the payout: the idempotency key, and the name by which the refund is found again. */
  payout: string
  amount: bigint
  /** True where the provider may have been asked before. */
  isAgain: boolean
  /** The provider's own id of the refund, once it has taken it: then it is looked for, and never asked for anew. Null before. */
  reference: string | null
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
