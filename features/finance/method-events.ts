import { event } from '#foundation/contract.ts'
import type { EventKind } from './payment-events.ts'
import type { MethodKind, ProviderName, TopUpStatus } from './rules.ts'

/** The details that a provider tells of a method which it keeps. Its references are the provider's own; they are sealed before they are stored. */
export type SavedDetails = {
  kind: MethodKind
  /** The provider's id of the method, by which later events name it. */
  provider_ref: string
  /** The provider's id of the customer whose method it is; empty where it has none. */
  customer_ref: string
  /** The provider's name for the card or account itself, the same however often it is saved; empty where it does not say. */
  fingerprint: string
  /** The name of the card's brand, as people know it, such as Visa; empty for other kinds. */
  brand: string
  /** The last four characters of the card or account; empty where it has none. */
  last4: string
  /** The last day (ISO 8601) on which it can be charged; null where it has none. */
  expires: string | null
  /** The reference of the mandate for direct debits; null for other kinds. */
  mandate_ref: string | null
}

/**
 * An event about a method. `method` is the public id by which its saving was begun here; null for changes that the provider heard of itself,
 * which name the method by its `provider_ref`.
 */
export type MethodEvent = { provider: ProviderName; event_id: string } & (
  | { kind: 'method_saved'; method: string | null; saved: SavedDetails }
  | { kind: 'method_gone'; provider_ref: string }
)

/** A provider tells that a method was saved, has changed or is gone. */
export const methodReported = event<MethodEvent>('finance.method_reported')

/**
 * An event has come of a payment that is charged to a saved method, and is settled as far as it can be: `status` is that of the payment now.
 * One end may be told several times. `stopsMethod` is true if the method must not be charged by itself any more.
 */
export const savedMethodCharged = event<{
  user_id: string
  /** The public id of the payment. */
  top_up: string
  method_id: string
  amount: bigint
  kind: EventKind
  status: TopUpStatus
  reason: string
  stopsMethod: boolean
}>('finance.saved_method_charged')
