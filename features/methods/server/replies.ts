import type { PaymentMethod } from '#features/methods/contract.ts'
import { isExpired } from '#features/methods/rules.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { methodWithId, type MethodRow } from './queries.ts'

/** The reply about a saved method, as the contract shows it. */
export function toMethodReply(row: MethodRow): PaymentMethod {
  const { public_id: id, provider, kind, brand, last4, expires, mandate_ref, is_default, reason } = row
  const state = row.state === 'paused' ? 'paused' : isExpired(expires, new Date()) ? 'expired' : 'active'
  return {
    id,
    provider,
    kind,
    brand,
    last4,
    expires: expires?.slice(0, 7) ?? null,
    mandate: mandate_ref,
    is_default,
    state,
    reason: reason === '' ? null : reason,
    created_at: row.created_at.toISOString(),
  }
}

/** Returns a method as it is at the commit, for an event. */
export const replyNow = async (tx: Tx, id: string) => {
  const row = await methodWithId(tx, id)
  return row && toMethodReply(row)
}
