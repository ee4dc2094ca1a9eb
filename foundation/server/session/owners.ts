import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { isLastOwner, lockOwners } from './user-queries.ts'

/**
 * Refuses with 409 `last_owner` what would leave the installation without an owner. Judged under one lock until the commit, so that two
 * owners who revoke each other at once do not both go.
 */
export async function assertOwnerStays(tx: Tx, user_id: string): Promise<void> {
  await lockOwners(tx)
  if (await isLastOwner(tx, user_id)) throw new HttpError(409, [{ code: 'last_owner' }])
}
