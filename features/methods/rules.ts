/** The states of a method that its customer sees. */
export const methodStates = ['active', 'expired', 'paused'] as const

/** A payment by it was disputed or came back; its bank has declined it for good; its provider has ended it. */
export const pauseReasons = ['disputed', 'declined', 'ended'] as const
export type PauseReason = (typeof pauseReasons)[number]

/** The most methods that a customer keeps, and the most that may be begun and not finished. */
export const MOST_METHODS = 10

/** The days before the end of a card at which its customer is told: the later warning first, which stands for the earlier one, too. */
export const WARNED_DAYS = [7, 30] as const

/** True once the last day on which a method can be charged (ISO 8601, of UTC) is over. */
export const isExpired = (expires: string | null, now: Date): boolean =>
  expires !== null && expires < now.toISOString().slice(0, 10)
