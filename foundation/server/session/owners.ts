import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { isLastOwner, lockOwners } from './user-queries.ts'

/**
 * Throws 409 `last_owner` if the installation would have no owner without this user. The check holds a lock until the commit, so that two
 * owners who revoke each other at once do not both go.
 */
export async function assertOwnerStays(tx: Tx, user_id: string): Promise<void> {
  await lockOwners(tx)
  if (await isLastOwner(tx, user_id)) throw new HttpError(409, [{ code: 'last_owner' }])
}
