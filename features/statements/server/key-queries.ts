import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

/** A key with its private half, sealed. */
export type StatementKey = { kid: string; private_key: string }

export type PublicKey = {
  kid: string
  public_key: string
  created_at: Date
  retired_at: Date | null
  withdrawn_at: Date | null
}

export async function currentKey(db: Db): Promise<StatementKey | undefined> {
  const row = await db
    .selectFrom('statement_keys')
    .select(['kid', 'private_key'])
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return row?.private_key ? { kid: row.kid, private_key: row.private_key } : undefined
}

/** All keys there ever were, oldest first. */
export const publicKeys = (db: Db): Promise<PublicKey[]> =>
  db
    .selectFrom('statement_keys')
    .select(['kid', 'public_key', 'created_at', 'retired_at', 'withdrawn_at'])
    .orderBy('created_at')
    .orderBy('kid')
    .execute()

export async function insertKey(tx: Tx, key: StatementKey & { public_key: string }): Promise<void> {
  await tx.insertInto('statement_keys').values(key).execute()
}

const now = sql<Date>`date_trunc('milliseconds', now())`

/** Retires the key that signs and deletes its private half; the public one stays for what it signed. */
export async function retireKey(tx: Tx): Promise<void> {
  await tx
    .updateTable('statement_keys')
    .set({ retired_at: now, private_key: null })
    .where('retired_at', 'is', null)
    .execute()
}

/** Returns false if there is no such key, or if it was withdrawn before. */
export async function markWithdrawn(tx: Tx, kid: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('statement_keys')
    .set({
      withdrawn_at: now,
      retired_at: sql<Date>`coalesce(retired_at, date_trunc('milliseconds', now()))`,
      private_key: null,
    })
    .where('kid', '=', kid)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Locks and returns keys that are sealed with another SECRET_KEY than the present one, at most `limit`. */
export async function keysOfOtherKeys(tx: Tx, boxId: string, limit: number): Promise<StatementKey[]> {
  const { rows } = await sql<StatementKey>`
    select kid, private_key from statement_keys where private_key not like ${`${boxId}.%`} limit ${limit} for update`.execute(
    tx,
  )
  return rows
}

export async function setPrivateKey(tx: Tx, { kid, private_key }: StatementKey): Promise<void> {
  await tx.updateTable('statement_keys').set({ private_key }).where('kid', '=', kid).execute()
}
