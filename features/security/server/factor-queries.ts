import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Factor } from '#foundation/session-contract.ts'

/** The second factors that an account has. */
export async function factorsOf(db: App['db'], user_id: string): Promise<Factor[]> {
  const result = await sql<{ factor: Factor }>`
    select 'recovery_codes' as factor from recovery_sets where user_id = ${user_id}
    union select 'totp' from totp_authenticators where user_id = ${user_id}
    union select 'webauthn' from passkeys where user_id = ${user_id}`.execute(db)
  return result.rows.map((row) => row.factor)
}

export type TotpRow = { id: number; secret: string; created_at: Date; last_used_at: Date | null }

export function totpOf(db: App['db'], user_id: string): Promise<TotpRow | undefined> {
  return db
    .selectFrom('totp_authenticators')
    .select(['id', 'secret', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

/** Adds the one TOTP authenticator of a user; undefined if another request was faster. */
export function insertTotp(tx: Tx, user_id: string, secret: string): Promise<TotpRow | undefined> {
  return tx
    .insertInto('totp_authenticators')
    .values({ user_id, secret })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning(['id', 'secret', 'created_at', 'last_used_at'])
    .executeTakeFirst()
}

/**
 * Uses up one step of a user's TOTP: one statement, so that of many concurrent requests with the same code
 * one succeeds.
 */
export async function useStep(tx: Tx, user_id: string, step: bigint): Promise<number | undefined> {
  const row = await tx
    .updateTable('totp_authenticators')
    .set({ last_step: step, last_used_at: sql`now()` })
    .where('user_id', '=', user_id)
    .where('last_step', '<', step)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function deleteTotp(tx: Tx, user_id: string): Promise<boolean> {
  const result = await tx.deleteFrom('totp_authenticators').where('user_id', '=', user_id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export type RecoverySet = {
  id: number
  created_at: Date
  last_used_at: Date | null
  total_count: number
  unused_count: number
}

export function recoverySetOf(db: App['db'], user_id: string): Promise<RecoverySet | undefined> {
  return db
    .selectFrom('recovery_sets as s')
    .select((query) => [
      's.id',
      's.created_at',
      's.last_used_at',
      's.total_count',
      query
        .selectFrom('recovery_codes as c')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('c.user_id', '=', 's.user_id')
        .$asScalar()
        .$notNull()
        .as('unused_count'),
    ])
    .where('s.user_id', '=', user_id)
    .executeTakeFirst()
}

/** The unused codes, sealed, in the order they were shown. */
export async function sealedCodesOf(db: App['db'], user_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('recovery_codes')
    .select('sealed')
    .where('user_id', '=', user_id)
    .orderBy('place')
    .execute()
  return rows.map((row) => row.sealed)
}

/** Replaces the set of recovery codes; the old codes are void from then on. */
export async function replaceRecoverySet(
  tx: Tx,
  user_id: string,
  codes: { digest: Buffer; sealed: string }[],
): Promise<void> {
  await deleteRecoverySet(tx, user_id)
  await tx.insertInto('recovery_sets').values({ user_id, total_count: codes.length }).execute()
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code, place) => ({ user_id, place, ...code })))
    .execute()
}

export async function deleteRecoverySet(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('recovery_sets').where('user_id', '=', user_id).execute()
}

/** Uses up one recovery code by deleting it in one statement, so that only one of several concurrent requests succeeds. */
export async function useRecoveryCode(
  tx: Tx,
  user_id: string,
  digests: readonly Buffer[],
): Promise<number | undefined> {
  const used = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .where('digest', 'in', digests)
    .returning('place')
    .executeTakeFirst()
  if (!used) return undefined
  const set = await tx
    .updateTable('recovery_sets')
    .set({ last_used_at: sql`now()` })
    .where('user_id', '=', user_id)
    .returning('id')
    .executeTakeFirst()
  return set?.id
}

export async function deleteFactors(tx: Tx, user_id: string): Promise<void> {
  await deleteTotp(tx, user_id)
  await deleteRecoverySet(tx, user_id)
}
