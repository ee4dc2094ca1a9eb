import * as z from 'zod/mini'

/** Returns Mollie's code of a decline, and if no other charge of the same method can succeed: the card or the account is gone, or its mandate. */
export function declineOf(details: unknown): { reason: string; isFinal: boolean } {
  const { failureReason, bankReasonCode } = reasons.safeParse(details).data ?? {}
  const reason = failureReason ?? bankReasonCode ?? ''
  return { reason, isFinal: final.has(reason) }
}

const code = z.optional(z.nullable(z.string().check(z.regex(/^\w{1,60}$/))))
const reasons = z.object({ failureReason: code, bankReasonCode: code })

// The codes of banks are those of SEPA: AC01 no such account, AC04 closed, AC06 blocked, AG01 no debits, MD01 no mandate, MD07 its holder died.
const final = new Set(
  'card_expired inactive_card invalid_card_number invalid_card_type AC01 AC04 AC06 AG01 MD01 MD07'.split(' '),
)
