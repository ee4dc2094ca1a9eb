import { errorCode } from '#foundation/server/error-code.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Claim = { user_id: string; host_id: bigint; ipv4: string; starts_at: Date; ends_at: Date }

const EXCLUSION_VIOLATION = '23P01'

/**
 * Claims an address for a period; false if another licence has it then. The constraint decides, after waiting
 * for any transaction that is claiming it at the same time; after its refusal the transaction must be rolled
 * back.
 */
export async function insertClaim(tx: Tx, claim: Claim): Promise<boolean> {
  try {
    await tx.insertInto('licensed_addresses').values(claim).execute()
    return true
  } catch (error) {
    if (errorCode(error) === EXCLUSION_VIOLATION) return false
    throw error
  }
}

/** Releases a host's claims from `from` on. */
export async function cutClaims(tx: Tx, host_id: bigint, from: Date): Promise<void> {
  await tx
    .deleteFrom('licensed_addresses')
    .where('host_id', '=', host_id)
    .where('starts_at', '>=', from)
    .execute()
  await tx
    .updateTable('licensed_addresses')
    .set({ ends_at: from })
    .where('host_id', '=', host_id)
    .where('ends_at', '>', from)
    .execute()
}
