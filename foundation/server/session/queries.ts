import { sql, type ExpressionBuilder } from 'kysely'
import type { Database } from '#database/types.ts'
import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { AuthenticationMethod, Factor } from '#foundation/session-contract.ts'

/** A live session with its user, as one row of one statement. */
export type SessionRow = {
  session_id: bigint
  generation: number
  user_id: string
  methods: AuthenticationMethod[]
  scratch: Record<string, unknown>
  email: string
  locale: Locale
  is_staff: boolean
  is_active: boolean
  has_password: boolean
  factors: Factor[]
  /** Seconds since the newest proof of identity; null where there was none. */
  proven_s: number | null
}

// The column list is one for both ways in, so that a session looks the same by token and by Bearer.
const columns = sql`s.id as session_id, s.generation, s.user_id, s.methods, s.scratch, u.email, u.locale, u.is_staff,
  u.is_active, u.has_password, u.factors, extract(epoch from now())::float8 - (s.methods->-1->>'at')::float8 as proven_s`

export async function sessionByToken(app: App, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const result = await sql<SessionRow>`select ${columns} from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${tokenHash} and s.written_at > now() - make_interval(secs => ${app.lifetimes.session_s})`.execute(
    app.db,
  )
  return result.rows[0]
}

export async function sessionById(app: App, id: bigint, generation: number): Promise<SessionRow | undefined> {
  const result = await sql<SessionRow>`select ${columns} from sessions s join users u on u.id = s.user_id
    where s.id = ${id} and s.generation = ${generation} and u.is_active
      and s.written_at > now() - make_interval(secs => ${app.lifetimes.session_s})`.execute(app.db)
  return result.rows[0]
}

export type PendingRow = {
  user_id: string | null
  stage: 'none' | 'verify_email' | 'mfa_authenticate'
  email: string | null
  methods: AuthenticationMethod[]
  scratch: Record<string, unknown>
  factors: Factor[]
}

/** A half-finished login; its stage is `none` once its time is over or its user is not active (any more). */
export async function pendingByToken(app: App, tokenHash: Buffer): Promise<PendingRow | undefined> {
  const result =
    await sql<PendingRow>`select p.user_id, p.email, p.methods, p.scratch, coalesce(u.factors, '{}') as factors,
      case when p.stage_at > now() - make_interval(secs => ${app.lifetimes.login_stage_s})
        and (p.user_id is null or u.is_active) then p.stage else 'none' end as stage
    from pending_logins p left join users u on u.id = p.user_id
    where p.token_hash = ${tokenHash} and p.written_at > now() - make_interval(secs => ${app.lifetimes.session_s})`.execute(
      app.db,
    )
  return result.rows[0]
}

export type NewPending = {
  token_hash: Buffer
  user_id: string | null
  stage: PendingRow['stage']
  email: string | null
  methods: AuthenticationMethod[]
  scratch: Record<string, unknown>
}

/** Starts a half-finished login, or starts over the one whose token was sent along. */
export async function putPending(tx: Tx, { methods, scratch, ...row }: NewPending): Promise<void> {
  const values = { ...row, methods: JSON.stringify(methods), scratch: JSON.stringify(scratch) }
  await tx
    .insertInto('pending_logins')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('token_hash').doUpdateSet({ ...values, stage_at: sql`now()`, written_at: sql`now()` }),
    )
    .execute()
}

/** Keeps something for the next step of a half-finished login, whose stage and time stay as they are. */
export async function mergePendingScratch(
  tx: Tx,
  tokenHash: Buffer,
  scratch: Record<string, unknown>,
): Promise<void> {
  await tx
    .updateTable('pending_logins')
    .set({ scratch: sql`scratch || ${JSON.stringify(scratch)}::jsonb`, written_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Takes a half-finished login away; false where another request was faster. */
export async function takePending(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const result = await tx.deleteFrom('pending_logins').where('token_hash', '=', tokenHash).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function insertSession(
  tx: Tx,
  row: {
    user_id: string
    token_hash: Buffer
    methods: AuthenticationMethod[]
    ip: string
    user_agent: string
  },
): Promise<bigint> {
  await tx
    .updateTable('users')
    .set({ last_login_at: sql`now()` })
    .where('id', '=', row.user_id)
    .execute()
  const { id } = await tx
    .insertInto('sessions')
    .values({ ...row, methods: JSON.stringify(row.methods) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Gives a session another token; everything issued before is dead. */
export async function rotate(tx: Tx, sessionId: bigint, tokenHash: Buffer): Promise<number | undefined> {
  await tx.deleteFrom('refresh_tokens').where('session_id', '=', sessionId).execute()
  const row = await tx
    .updateTable('sessions')
    .set({ token_hash: tokenHash, written_at: sql`now()`, generation: sql`generation + 1` })
    .where('id', '=', sessionId)
    .returning('generation')
    .executeTakeFirst()
  return row?.generation
}

export async function appendMethod(
  tx: Tx,
  sessionId: bigint,
  method: AuthenticationMethod,
): Promise<AuthenticationMethod[]> {
  const row = await tx
    .updateTable('sessions')
    .set({ methods: sql`methods || ${JSON.stringify([method])}::jsonb`, written_at: sql`now()` })
    .where('id', '=', sessionId)
    .returning('methods')
    .executeTakeFirst()
  return (row?.methods ?? []) as AuthenticationMethod[]
}

export async function mergeScratch(
  tx: Tx,
  sessionId: bigint,
  scratch: Record<string, unknown>,
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({
      scratch: sql`jsonb_strip_nulls(scratch || ${JSON.stringify(scratch)}::jsonb)`,
      written_at: sql`now()`,
    })
    .where('id', '=', sessionId)
    .execute()
}

/** Takes one value out of a session's scratch; undefined where it is not there (any more). Single use: one statement. */
export async function takeScratch(tx: Tx, sessionId: bigint, key: string): Promise<unknown> {
  const result = await sql<{ value: unknown }>`
    with before as (select id, scratch->${key} as value from sessions where id = ${sessionId} and scratch ? ${key} for update)
    update sessions s set scratch = s.scratch - ${key}, written_at = now() from before where s.id = before.id
    returning before.value`.execute(tx)
  return result.rows[0]?.value
}

export async function deleteSessions(tx: Tx, userId: string, except?: bigint): Promise<bigint[]> {
  const rows = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except!))
    .returning('id')
    .execute()
  await tx.deleteFrom('pending_logins').where('user_id', '=', userId).execute()
  return rows.map((row) => row.id)
}

export async function deleteSession(tx: Tx, id: bigint): Promise<boolean> {
  const result = await tx.deleteFrom('sessions').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export type Device = { id: bigint; ip: string; user_agent: string; created_at: Date }

/** The sessions of a user, newest last; those past their time are removed on the way. */
export async function sessionsOf(app: App, tx: Tx, userId: string): Promise<Device[]> {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('written_at', '<=', sql<Date>`now() - make_interval(secs => ${app.lifetimes.session_s})`)
    .execute()
  return tx
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', hostOf])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

const hostOf = (_: ExpressionBuilder<Database, 'sessions'>) => sql<string>`host(ip)`.as('ip')

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

/** The live session behind a refresh token, extended, for a user who is active. */
export async function touchSession(
  app: App,
  tx: Tx,
  id: bigint,
): Promise<{ user_id: string; generation: number } | undefined> {
  const result = await sql<{ user_id: string; generation: number }>`
    update sessions s set written_at = now() from users u
    where s.id = ${id} and u.id = s.user_id and u.is_active
      and s.written_at > now() - make_interval(secs => ${app.lifetimes.session_s})
    returning s.user_id, s.generation`.execute(tx)
  return result.rows[0]
}

export async function insertUser(
  tx: Tx,
  user: { email: string; locale: string; is_staff?: boolean },
): Promise<string> {
  const { id } = await tx.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}

export type UserRow = {
  id: string
  email: string
  locale: Locale
  is_active: boolean
  is_staff: boolean
  has_password: boolean
  factors: Factor[]
}

export async function userById(db: App['db'], id: string): Promise<UserRow | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email', 'locale', 'is_active', 'is_staff', 'has_password', 'factors'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row as UserRow | undefined
}

export type UserChange = Partial<{
  email: string
  locale: string
  is_active: boolean
  is_staff: boolean
  has_password: boolean
  factors: Factor[]
}>

export async function updateUser(tx: Tx, id: string, change: UserChange): Promise<void> {
  const { email, locale, is_active, is_staff, has_password, factors } = change
  const columns = { email, locale, is_active, is_staff, has_password, factors }
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length > 0) await tx.updateTable('users').set(given).where('id', '=', id).execute()
}

/** Holds the user's row, so that acts on one account take turns. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return userById(tx, id)
}

/** Removes what is past its time; run by a job. */
export async function sweep(app: App, tx: Tx): Promise<void> {
  const before = sql<Date>`now() - make_interval(secs => ${app.lifetimes.session_s})`
  await tx.deleteFrom('sessions').where('written_at', '<', before).execute()
  await tx.deleteFrom('pending_logins').where('written_at', '<', before).execute()
  await tx
    .deleteFrom('refresh_tokens')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
}
