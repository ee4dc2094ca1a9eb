import { SESSION_ENDED } from '#foundation/session-contract.ts'
import { must } from '#foundation/must.ts'
import { errorCode } from '#foundation/server/error-code.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { hashToken, randomToken } from '#foundation/server/keys.ts'
import type { Robot } from '#foundation/server/programs.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import type { AuthenticationMethod, TokenPair } from '#foundation/session-contract.ts'
import * as pendings from './pending/queries.ts'
import * as queries from './queries.ts'
import * as refreshTokens from './refresh/queries.ts'
import { issuePair } from './refresh/refresh.ts'
import { verifyToken } from './tokens.ts'
import * as unused from './unused/queries.ts'
import { sweepViews } from './views/queries.ts'

export { assertOwnerStays } from './owners.ts'
export { setAccess, type AccountAccess, isInStaffNetwork, type FactorState } from './access-queries.ts'
export { addMethod, consumeStepState, devicesOf, saveStepState } from './queries.ts'
export { countByPasskeyAlone, createdAt, signedInBefore } from './unused/queries.ts'

export { requiredProof, hasFactor, isRecent } from './proofs.ts'
export { refreshPair } from './refresh/refresh.ts'
export { accountActedFor, endView, endViewsWith, viewedAccount } from './views/queries.ts'
export { startView } from './views/views.ts'
export {
  countStaff,
  createRobotUser,
  createUser,
  deactivate,
  exampleAccounts,
  findUser,
  findUsers,
  hasUsers,
  keepUser,
  lastAddressOf,
  lockOwners,
  lockUser,
  lockUserForGood,
  setStaffRoles,
  staffIds,
  staffMembers,
  updateUser,
  type UserRow,
} from './user-queries.ts'

/** Somebody who is signed in, read from the database for this very request. */
export type Actor = queries.SessionRow

/** A robot as the one who makes a call: without session and factors, and with a secret that is its proof. */
export const asRobot = (robot: Robot): Actor => ({
  ...robot,
  session_id: 0n,
  generation: 0,
  methods: [],
  scratch: {},
  time_zone: null,
  first_page: 'servers',
  is_staff: true,
  factor: 'none',
  is_active: true,
  access: 'open',
  access_message: '',
  has_password: false,
  factors: [],
  holds_grants: false,
  is_robot: true,
})

/** Somebody in the middle of signing in. */
export type PendingLogin = pendings.PendingRow & { token_hash: Buffer }

/** The tokens of an answer when a session was created or rotated. */
export type IssuedTokens = { session_token: string; access_token: TokenPair }

type ClientInfo = { ip: string; user_agent: string }

/** Finds the session or half-finished login of a session token; `{}` (an anonymous caller) where its user is not active or is locked. */
export async function findBySessionToken(
  app: App,
  token: string,
): Promise<{ actor?: Actor; pending?: PendingLogin } | undefined> {
  const token_hash = hashToken(token)
  const actor = await queries.sessionByToken(app, token_hash)
  if (actor) return actor.is_active && actor.access !== 'locked' ? { actor } : {}
  const pending = await pendings.pendingByToken(app, token_hash)
  return pending && { pending: { ...pending, token_hash } }
}

/** Finds the session of an access token. It is read from the database (D6), so that a sign-out takes effect at the next call. */
export async function findByAccessToken(app: App, token: string): Promise<Actor | undefined> {
  const claims = verifyToken(app, 'access', token)
  return claims && queries.sessionById(app, claims.session_id, claims.generation)
}

/**
 * Signs a user in: begins a session, issues its tokens, and ends the sessions above the limit that were unused for longest. The caller ends
 * the half-finished login, if there is one (`consumePending`).
 */
export async function startSession(
  app: App,
  tx: Tx,
  { user_id, methods, from }: { user_id: string; methods: AuthenticationMethod[]; from: ClientInfo },
): Promise<IssuedTokens & { actor: Actor }> {
  const session_token = randomToken()
  const token_hash = hashToken(session_token)
  const session = await queries.insertSession(app, tx, { user_id, token_hash, methods, ...from })
  const { session_id } = session
  const access_token = await issuePair(app, tx, { user_id, session_id, generation: 1 }, session.ends_at)
  await recordAction(tx, { user_id, act: 'session.started', ...from })
  await endOldest(tx, user_id)
  const actor = await queries.newSession(app, tx, session_id)
  return { session_token, access_token, actor }
}

/** Rule 43: the attack is a script that signs in without end, and fills the table and the list of devices. */
const MOST_SESSIONS = 100

async function endOldest(tx: Tx, user_id: string): Promise<void> {
  for (const session_id of await queries.deleteOldestSessions(tx, user_id, MOST_SESSIONS)) {
    await publish(tx, user_id, { type: SESSION_ENDED, session_id: Number(session_id) })
    await recordAction(tx, { user_id, act: 'session.ended_for_newer' })
  }
}

/**
 * Begins a half-finished login, or starts over the one of the `sent` token. Returns the token to hand out; undefined if it is the sent one.
 */
export async function startPending(
  tx: Tx,
  sent: PendingLogin | undefined,
  pending: Pick<pendings.NewPending, 'user_id' | 'stage' | 'email' | 'methods'> & {
    scratch?: Record<string, unknown>
  },
): Promise<string | undefined> {
  const token = sent ? undefined : randomToken()
  const token_hash = sent?.token_hash ?? hashToken(must(token))
  await pendings.putPending(tx, { scratch: {}, ...pending, token_hash })
  return token
}

/** Ends a half-finished login; false where another request was faster. */
export const consumePending = (tx: Tx, pending: PendingLogin) =>
  pendings.consumePending(tx, pending.token_hash)

/** Gives the session another token: the old one, and all tokens issued with it, are dead. Returns undefined if the session has ended. */
export async function rotateSession(app: App, tx: Tx, actor: Actor): Promise<IssuedTokens | undefined> {
  const session_token = randomToken()
  await refreshTokens.deleteRefreshTokensOf(tx, actor.session_id)
  const rotated = await queries.rotate(app, tx, actor.session_id, hashToken(session_token))
  if (!rotated) return undefined
  const { generation, ends_at } = rotated
  return { session_token, access_token: await issuePair(app, tx, { ...actor, generation }, ends_at) }
}

export async function endSession(
  tx: Tx,
  { session_id, user_id }: { session_id: bigint; user_id: string },
): Promise<void> {
  if (await queries.deleteSession(tx, session_id))
    await publish(tx, user_id, { type: SESSION_ENDED, session_id: Number(session_id) })
}

/** Ends all half-finished logins of a user, and all sessions but `except`. Returns the number of ended sessions. */
export async function endSessionsOf(tx: Tx, user_id: string, except?: bigint): Promise<number> {
  await pendings.deletePendingOf(tx, user_id)
  const ended = await queries.deleteSessions(tx, user_id, except)
  for (const session_id of ended)
    await publish(tx, user_id, { type: SESSION_ENDED, session_id: Number(session_id) })
  return ended.length
}

export const savePendingStepState = (tx: Tx, pending: PendingLogin, scratch: Record<string, unknown>) =>
  pendings.savePendingStepState(tx, pending.token_hash, scratch)

/**
 * Removes the rows of accounts that ended before anybody signed in, so that sign-ups nobody proves do not pile up. A user
 * row to which another row still refers stays, erased as it is.
 */
export async function removeUnusedAccounts(app: App): Promise<void> {
  for (const id of await unused.unusedAccounts(app.db))
    await transaction(app, 'system', (tx) => unused.deleteUser(tx, id)).catch((error: unknown) => {
      if (errorCode(error) !== FOREIGN_KEY_VIOLATION) throw error
    })
}

const FOREIGN_KEY_VIOLATION = '23503'

/** Removes sessions, half-finished logins, refresh tokens and views past their time; run by a job. */
export async function sweepSessions(app: App, tx: Tx): Promise<void> {
  await queries.sweep(app, tx)
  await pendings.sweepPending(app, tx)
  await refreshTokens.sweepRefreshTokens(tx)
  await sweepViews(tx)
}
