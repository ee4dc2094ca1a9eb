import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/**
 * A `blocked` account may not buy, a `locked` one may not sign in. It is read with the session, so that a change counts at the next call.
 */
export type AccountAccess = 'open' | 'blocked' | 'locked'

/** The condition of a statement over `users u`: the account is not deleted, and not locked. */
export const maySignIn = sql<boolean>`(u.is_active and u.access <> 'locked')`

/** Sets the access of an account, and the text that the customer reads about it. The database refuses every author but `system`. */
export async function setAccess(
  tx: Tx,
  id: string,
  { access, message }: { access: AccountAccess; message: string },
): Promise<void> {
  await tx.updateTable('users').set({ access, access_message: message }).where('id', '=', id).execute()
}
