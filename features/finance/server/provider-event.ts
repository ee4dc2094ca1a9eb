import type { PaymentEvent } from './event-queries.ts'

/** An event of a payment provider. `top_up` is the public id of the top-up; null if the provider names only the payment. */
export type ProviderEvent = PaymentEvent & {
  top_up: string | null
  /** The public id of the payout that asked for the refund, if one did. */
  payout?: string | null
  /** True if the method that paid must not be charged by itself any more: a dispute, a debit that came back, a decline for good. */
  stopsMethod?: boolean
  /** True of a refund that somebody made on the provider's own page, and of its failure; not of a dispute. */
  isByHand?: boolean
  /** True if somebody has paid and the money did not come, such as by a debit days later; not of a page that nobody used. */
  wasTried?: boolean
}

/** An event that does not say what it must, such as its amount; `kind` is what its type would mean. */
export type OddEvent = Pick<PaymentEvent, 'provider' | 'event_id' | 'kind' | 'reason'> & { isOdd: true }
