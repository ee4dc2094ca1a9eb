import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Returns the ids of the accounts, among `ids`, to which somebody has ever signed in. */
export async function signedInBefore(db: App['db'], ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from users where id = any(${ids}::uuid[]) and last_login_at is not null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export async function createdAt(db: App['db'], id: string): Promise<Date> {
  const row = await db.selectFrom('users').select('created_at').where('id', '=', id).executeTakeFirstOrThrow()
  return row.created_at
}

/** Returns accounts that ended before anybody signed in, at most 10,000. */
export async function unusedAccounts(db: App['db']): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where not is_active and last_login_at is null and kind = 'person' order by created_at limit 10000`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Throws 23503 where something still refers to the account. */
export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

/** How many accounts would be locked out without passkeys: with no other second factor, or with nothing else at all. */
export async function countByPasskeyAlone(db: App['db']): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users
    where is_active and 'webauthn' = any(factors) and not 'totp' = any(factors)`.execute(db)
  return rows[0]?.count ?? 0
}
