import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Stores the key of a link that sets another password, and deletes expired ones. */
export async function insertResetKey(
  app: App,
  tx: Tx,
  key: { token_hash: Buffer; user_id: string },
): Promise<void> {
  const expires = sql<Date>`now() + make_interval(secs => ${app.lifetimes.password_reset_key_s})`
  await tx
    .deleteFrom('password_reset_keys')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
  await tx
    .insertInto('password_reset_keys')
    .values({ ...key, expires_at: expires })
    .execute()
}

/** The user whose password the key would set; undefined if the key is unknown, used or expired. */
export async function ownerOfResetKey(db: App['db'], tokenHash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('password_reset_keys')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.user_id
}

/** Uses a key up; false if it is used or expired. It is one statement, so that only one of several uses at once succeeds. */
export async function useResetKey(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const row = await tx
    .deleteFrom('password_reset_keys')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteResetKeys(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('password_reset_keys').where('user_id', '=', userId).execute()
}
