import type { LockKind } from '#foundation/server/database/lock-order.ts'

/**
 * The rows that acts with money lock, in the one order in which all of them do (rule 9, decision 139). Agreements and balances are locked by
 * one statement each, for the whole act. Behind them comes the counter of the invoice numbers, at the end of the transaction.
 */
export const locks = {
  hosts: { name: 'hosts', place: 0, again: 'higher' },
  /** The documents that are credited, by buyer and transaction. */
  credits: { name: 'credits', place: 1, again: 'higher' },
  agreements: { name: 'agreements', place: 2, again: 'never' },
  balances: { name: 'balances', place: 3, again: 'never' },
} as const satisfies Record<string, LockKind>
