import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Stores the key of a link to all data of an account. Returns the time at which the link expires. */
export async function insertExport(
  tx: Tx,
  { user_id, token_hash }: { user_id: string; token_hash: Buffer },
): Promise<Date> {
  const { expires_at } = await tx
    .insertInto('data_exports')
    .values({ user_id, token_hash, expires_at: sql<Date>`now() + interval '7 days'` })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

/** Returns the account whose data a key opens; undefined if the key is unknown or has expired. */
export async function exportByKey(db: App['db'], token_hash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('data_exports')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.user_id
}

export async function deleteExportsOf(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('data_exports').where('user_id', '=', user_id).execute()
}

export async function sweepExports(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('data_exports')
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
}
