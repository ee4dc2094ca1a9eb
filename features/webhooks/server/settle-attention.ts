import type { Tx } from '#foundation/server/database/transaction.ts'
import { setAttention } from '#features/profile/server/profile.ts'
import { hasDisabled, type Owner } from './queries.ts'

/** Shows on every page of an account that a webhook is disabled, for as long as one is. */
export async function settleAttention(tx: Tx, owner: Owner): Promise<void> {
  if (owner !== null) await setAttention(tx, owner, 'webhook_disabled', await hasDisabled(tx, owner))
}
