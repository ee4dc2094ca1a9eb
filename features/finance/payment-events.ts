/** The things that happen to money, as a payment provider, a bank or staff say them. */
export const eventKinds = ['paid', 'failed', 'charged_back', 'reinstated'] as const
export type EventKind = (typeof eventKinds)[number]

/** The reasons why an event is not booked, or only in part, and waits for a person. */
export const unbookedCauses = [
  'other_currency',
  /** The provider was asked for another amount, which it cannot change. */
  'other_amount',
  /** No top-up has this payment, or not yet. */
  'unknown_payment',
  /** The money it is about has not come yet, or was not taken yet. */
  'waits',
  /** A top-up was paid by two payments. */
  'paid_twice',
  'more_than_left',
  'more_than_taken',
  /** It gives back what another refund of the same payment, which was under way here, has taken from the balance already. */
  'refund_under_way',
  /** It is booked, but to an account that was deleted: its customer cannot spend it any more. */
  'account_closed',
  /** It does not say what it must. */
  'unreadable',
] as const
export type UnbookedCause = (typeof unbookedCauses)[number]
