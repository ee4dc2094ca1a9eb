import { SESSION_ENDED } from '#foundation/session-contract.ts'
import { createHash } from 'node:crypto'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { hashToken } from '#foundation/server/keys.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { deleteSession, lockLiveSession, touchSession } from '#foundation/server/session/queries.ts'
import { signToken, verifyToken, type Claims } from '#foundation/server/session/tokens.ts'
import type { TokenPair } from '#foundation/session-contract.ts'
import * as queries from './queries.ts'

/** Issues the first pair of tokens of a session that begins or is rotated. `ends_at` is when the session ends at the latest. */
export async function issuePair(app: App, tx: Tx, claims: Claims, ends_at: Date): Promise<TokenPair> {
  const times = { issued_at: thisSecond(), expires_at: ends_at }
  const [access, refresh] = await Promise.all([
    signToken(app, 'access', claims),
    signToken(app, 'refresh', claims, times),
  ])
  const { session_id } = claims
  await queries.insertRefreshToken(tx, { session_id, token_hash: hashToken(refresh), ...times })
  return { access, refresh }
}

/**
 * Rotates a refresh token (rule 43). An answer may be lost on its way, so a used token gets the same successor again until that successor
 * was used once. If the old token comes after that, two parties hold tokens of one session: somebody copied one, and the session ends.
 * Returns undefined for a token that is not valid, or not any more.
 */
export async function refreshPair(app: App, refresh: string): Promise<TokenPair | undefined> {
  const claims = verifyToken(app, 'refresh', refresh)
  if (!claims) return undefined
  return transaction(app, 'system', async (tx) => {
    const session = await lockLiveSession(app, tx, claims.session_id)
    if (session?.generation !== claims.generation) return undefined
    const sent = hashToken(refresh)
    const known = await queries.findRefreshToken(tx, sent)
    if (known?.is_used === false) {
      await queries.useRefreshToken(tx, claims.session_id, sent)
      await touchSession(tx, claims.session_id)
      return succeed(app, tx, claims, sent, session.ends_at)
    }
    return (await answerAgain(app, tx, claims, sent)) ?? endStolenSession(tx, claims)
  })
}

async function succeed(app: App, tx: Tx, claims: Claims, sent: Buffer, ends_at: Date): Promise<TokenPair> {
  const times = { issued_at: thisSecond(), expires_at: ends_at }
  const pair = await successorOf(app, claims, sent, times)
  const { session_id } = claims
  const token_hash = hashToken(pair.refresh)
  await queries.insertRefreshToken(tx, { session_id, token_hash, parent_hash: sent, ...times })
  return pair
}

async function answerAgain(app: App, tx: Tx, claims: Claims, sent: Buffer): Promise<TokenPair | undefined> {
  const successor = await queries.unusedSuccessor(tx, sent)
  if (!successor) return undefined
  const pair = await successorOf(app, claims, sent, successor)
  const age_s = (Date.now() - successor.issued_at.getTime()) / 1000
  // The first access token may have ended since; the refresh token must stay the same one.
  if (age_s < app.lifetimes.access_token_s / 2) return pair
  return { ...pair, access: await signToken(app, 'access', claims) }
}

/**
 * Returns the pair that follows a token. It has the same bytes each time, because all its parts follow from the token and the time. So
 * nothing has to be stored that would open a session for a reader of the database.
 */
async function successorOf(
  app: App,
  claims: Claims,
  sent: Buffer,
  { issued_at, expires_at }: { issued_at: Date; expires_at: Date },
): Promise<TokenPair> {
  const [access, refresh] = await Promise.all([
    signToken(app, 'access', claims, { issued_at, jti: idAfter(sent, 'access') }),
    signToken(app, 'refresh', claims, { issued_at, expires_at, jti: idAfter(sent, 'refresh') }),
  ])
  return { access, refresh }
}

/** Returns a UUID of version 8 (RFC 9562 5.8), made of the token before. The signature makes the token secret, not its id. */
function idAfter(sent: Buffer, use: string): string {
  const bytes = createHash('sha256').update(sent).update(use).digest().subarray(0, 16)
  bytes[6] = (must(bytes[6]) & 0x0f) | 0x80
  bytes[8] = (must(bytes[8]) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

async function endStolenSession(tx: Tx, { session_id, user_id }: Claims): Promise<undefined> {
  if (!(await deleteSession(tx, session_id))) return
  await publish(tx, user_id, { type: SESSION_ENDED, session_id: Number(session_id) })
  await recordAction(tx, { user_id, act: 'session.ended_by_token_reuse' })
}

// Tokens hold times in whole seconds.
const thisSecond = () => new Date(Math.floor(Date.now() / 1000) * 1000)
