import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type PasskeyRow = {
  id: number
  user_id: string
  name: string
  credential_id: string
  public_key: Buffer
  counter: bigint
  transports: string[]
  is_passwordless: boolean
  created_at: Date
  last_used_at: Date | null
}

const columns = [
  'id',
  'user_id',
  'name',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'is_passwordless',
  'created_at',
  'last_used_at',
] as const

export function passkeysOf(db: App['db'], user_id: string): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').select(columns).where('user_id', '=', user_id).orderBy('id').execute()
}

/** The passkey of any user: a sign-in by passkey starts without a username. */
export function passkeyByCredential(db: App['db'], credential_id: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('passkeys')
    .select(columns)
    .where('credential_id', '=', credential_id)
    .executeTakeFirst()
}

export type NewPasskey = Omit<PasskeyRow, 'id' | 'created_at' | 'last_used_at'>

/** Adds a passkey; undefined if it is known already. */
export function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<PasskeyRow | undefined> {
  return tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

/**
 * Advances the counter in one statement, so that an answer of an authenticator counts once (if it has a counter). Returns false if
 * the answer was used before.
 */
export async function advanceCounter(tx: Tx, id: number, counter: bigint): Promise<boolean> {
  const result = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: sql`now()` })
    .where('id', '=', id)
    // Synced passkeys have no counter: it stays at zero.
    .where((where) =>
      where.or([
        where('counter', '<', counter),
        where.and([where('counter', '=', 0n), where.lit(counter === 0n)]),
      ]),
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export function renamePasskey(
  tx: Tx,
  user_id: string,
  id: number,
  name: string,
): Promise<PasskeyRow | undefined> {
  return tx
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

/** Deletes these passkeys of one user and returns the number of deleted rows. */
export async function deletePasskeys(tx: Tx, user_id: string, ids: readonly number[]): Promise<number> {
  const result = await tx
    .deleteFrom('passkeys')
    .where('user_id', '=', user_id)
    .where('id', 'in', ids)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function deletePasskeysOf(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', user_id).execute()
}
