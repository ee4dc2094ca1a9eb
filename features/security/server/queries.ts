import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { PasswordHash } from './hashing.ts'

/** The stored hash of a user's password. */
export async function hashOf(db: App['db'], user_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('passwords')
    .select('hash')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.hash
}

/** The time at which the account got its password, in milliseconds; undefined without one. */
export async function passwordSetAt(db: App['db'], user_id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('passwords')
    .select('changed_at')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.changed_at.getTime()
}

export async function putHash(tx: Tx, user_id: string, hash: PasswordHash): Promise<void> {
  await tx
    .insertInto('passwords')
    .values({ user_id, hash })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash, changed_at: sql`now()` }))
    .execute()
}

/** Stores a new hash of the same password, unless it was changed meanwhile. */
export async function renewHash(tx: Tx, user_id: string, before: string, hash: PasswordHash): Promise<void> {
  await tx
    .updateTable('passwords')
    .set({ hash })
    .where('user_id', '=', user_id)
    .where('hash', '=', before)
    .execute()
}

export async function deletePassword(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('passwords').where('user_id', '=', user_id).execute()
}
