import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type NewRefreshToken = {
  session_id: bigint
  token_hash: Buffer
  /** The hash of the token that this one replaces; absent if the session begins or is rotated. */
  parent_hash?: Buffer
  issued_at: Date
  expires_at: Date
}

export async function insertRefreshToken(tx: Tx, token: NewRefreshToken): Promise<void> {
  await tx.insertInto('refresh_tokens').values(token).execute()
}

export type KnownToken = { is_used: boolean }

/** Returns the state of a token; undefined if its row is gone, because the session went on without it long ago. */
export async function findRefreshToken(tx: Tx, tokenHash: Buffer): Promise<KnownToken | undefined> {
  return tx
    .selectFrom('refresh_tokens')
    .select(sql<boolean>`used_at is not null`.as('is_used'))
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/**
 * Marks a token as used, and deletes all other tokens of the session, which came before it. The caller has locked the row of the session.
 */
export async function useRefreshToken(tx: Tx, sessionId: bigint, tokenHash: Buffer): Promise<void> {
  await tx
    .deleteFrom('refresh_tokens')
    .where('session_id', '=', sessionId)
    .where('token_hash', '!=', tokenHash)
    .execute()
  await tx
    .updateTable('refresh_tokens')
    .set({ used_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Returns the successor of a used token; undefined where the successor has been used itself. */
export async function unusedSuccessor(
  tx: Tx,
  tokenHash: Buffer,
): Promise<{ token_hash: Buffer; issued_at: Date; expires_at: Date } | undefined> {
  return tx
    .selectFrom('refresh_tokens')
    .select(['token_hash', 'issued_at', 'expires_at'])
    .where('parent_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
}

/** Voids all refresh tokens of a session: they live and die with its present session token. */
export async function deleteRefreshTokensOf(tx: Tx, sessionId: bigint): Promise<void> {
  await tx.deleteFrom('refresh_tokens').where('session_id', '=', sessionId).execute()
}

/** Removes refresh tokens past their time; run by a job. */
export async function sweepRefreshTokens(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('refresh_tokens')
    // Deleted an hour later than necessary: a token that still counts by the clock of a process must not look like a stolen one.
    .where('expires_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute()
}
