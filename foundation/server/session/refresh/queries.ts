import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export async function insertRefreshToken(
  app: App,
  tx: Tx,
  sessionId: bigint,
  tokenHash: Buffer,
): Promise<void> {
  const expires = sql<Date>`now() + make_interval(secs => ${app.lifetimes.refresh_token_s})`
  await tx
    .insertInto('refresh_tokens')
    .values({ token_hash: tokenHash, session_id: sessionId, expires_at: expires })
    .execute()
}

/** Uses a refresh token up: one statement, so that of many at once one succeeds. */
export async function useRefreshToken(tx: Tx, tokenHash: Buffer): Promise<bigint | undefined> {
  const row = await tx
    .updateTable('refresh_tokens')
    .set({ used_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('session_id')
    .executeTakeFirst()
  return row?.session_id
}

/** The session of a token that was rotated longer ago than two tabs could race. */
export async function sessionOfStaleToken(
  app: App,
  tx: Tx,
  tokenHash: Buffer,
): Promise<{ session_id: bigint; user_id: string } | undefined> {
  return tx
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .select(['session_id', 'user_id'])
    .where('refresh_tokens.token_hash', '=', tokenHash)
    .where('used_at', '<', sql<Date>`now() - make_interval(secs => ${app.lifetimes.refresh_reuse_grace_s})`)
    .executeTakeFirst()
}

/** Voids all refresh tokens of a session: they live and die with its present session token. */
export async function deleteRefreshTokensOf(tx: Tx, sessionId: bigint): Promise<void> {
  await tx.deleteFrom('refresh_tokens').where('session_id', '=', sessionId).execute()
}

/** Removes what is past its time; run by a job. */
export async function sweepRefreshTokens(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('refresh_tokens')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
}
