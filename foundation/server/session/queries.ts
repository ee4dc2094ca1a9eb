import { sql, type Selectable } from 'kysely'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import { must } from '#foundation/must.ts'
import type { Locale } from '#foundation/locale.ts'
import type { Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import type { Users } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { AuthenticationMethod, Factor } from '#foundation/session-contract.ts'
import { maySignIn, type AccountAccess, factorStateOf, type FactorState } from './access-queries.ts'

/** A live session and its user, read as one row. */
export type SessionRow = {
  session_id: bigint
  generation: number
  user_id: string
  methods: AuthenticationMethod[]
  scratch: Record<string, unknown>
  email: string
  locale: Locale
  /** Null if the time zone is not known. */
  time_zone: string | null
  first_page: Selectable<Users>['first_page']
  /** True for a member of staff; in a call only while their network and second factor let them act as staff (http/caller.ts). */
  is_staff: boolean
  staff_roles: Role[]
  factor: FactorState
  is_active: boolean
  access: AccountAccess
  /** The text that the customer reads about a block; empty where there is none. */
  access_message: string
  has_password: boolean
  factors: Factor[]
  /** True for a person who holds a grant of another account. The calls of all others ask for no way to act. */
  holds_grants: boolean
  /** The member is no person: it has no session, and its secret is its proof. */
  is_robot?: true
}

// One column list serves both look-ups, so that a session is the same by session token and by Bearer token.
const columnsFor = (
  app: App,
) => sql`s.id as session_id, s.generation, s.user_id, s.methods, s.scratch, u.email, u.locale, u.time_zone, u.first_page, u.is_staff,
  u.staff_roles, ${factorStateOf(app)} as factor, u.is_active, u.access, u.access_message,
  u.has_password, u.factors, exists (select from grants_held(u.id)) as holds_grants`

/** True while session `s` is neither idle for too long nor too old, whatever it does (rule 43). */
export const isLive = ({ lifetimes }: App) => sql<boolean>`
  (s.written_at > now() - make_interval(secs => ${lifetimes.session_s})
    and s.created_at > now() - make_interval(secs => ${lifetimes.session_longest_s}))`

const endOf = ({ lifetimes }: App) =>
  sql<Date>`created_at + make_interval(secs => ${lifetimes.session_longest_s})`

// Every signed-in request reads its session afresh, many of them by one statement.
const byToken = batched(async (app: App, hashes: readonly string[]) => {
  const keys = hashes.map((hash) => Buffer.from(hash, 'hex'))
  const result = await sql<SessionRow & { hash: string }>`
    select ${columnsFor(app)}, encode(s.token_hash, 'hex') as hash from sessions s join users u on u.id = s.user_id
    where s.token_hash = any(${keys}::bytea[]) and ${isLive(app)}`.execute(app.db)
  return new Map(result.rows.map(({ hash, ...row }): [string, SessionRow] => [hash, row]))
})

const byId = batched(async (app: App, ids: readonly bigint[]) => {
  const rows = await sessionsOf(app, app.db, ids)
  return new Map(rows.map((row) => [row.session_id, row]))
})

async function sessionsOf(app: App, db: App['db'], ids: readonly bigint[]): Promise<SessionRow[]> {
  const { rows } =
    await sql<SessionRow>`select ${columnsFor(app)} from sessions s join users u on u.id = s.user_id
    where s.id = any(${arrayOf(ids, 'bigint')}) and ${maySignIn} and ${isLive(app)}`.execute(db)
  return rows
}

export const sessionByToken = (app: App, tokenHash: Buffer) => byToken(app, tokenHash.toString('hex'))

export async function sessionById(app: App, id: bigint, generation: number): Promise<SessionRow | undefined> {
  const row = await byId(app, id)
  return row?.generation === generation ? row : undefined
}

/** Returns a session that the open transaction has just begun. */
export async function newSession(app: App, tx: Tx, id: bigint): Promise<SessionRow> {
  const [session] = await sessionsOf(app, tx, [id])
  if (!session) throw new Error('A session began for an account that is not active.')
  return session
}

/** Inserts a session, and locks the user's row by an update, so that sign-ins of one account take turns. */
export async function insertSession(
  app: App,
  tx: Tx,
  row: {
    user_id: string
    token_hash: Buffer
    methods: AuthenticationMethod[]
    ip: string
    user_agent: string
  },
): Promise<{ session_id: bigint; ends_at: Date }> {
  await tx
    .updateTable('users')
    .set({ last_login_at: sql`now()` })
    .where('id', '=', row.user_id)
    .execute()
  return tx
    .insertInto('sessions')
    .values({ ...row, methods: JSON.stringify(row.methods) })
    .returning(['id as session_id', endOf(app).as('ends_at')])
    .executeTakeFirstOrThrow()
}

/** Deletes all but the `most` sessions of a user that were used last; returns the ids of the deleted sessions. */
export async function deleteOldestSessions(tx: Tx, userId: string, most: number): Promise<bigint[]> {
  const rows = await tx
    .deleteFrom('sessions')
    .where('id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('written_at', 'desc')
        .orderBy('id', 'desc')
        .offset(most),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Gives a session another token; every token issued before is dead. */
export async function rotate(
  app: App,
  tx: Tx,
  sessionId: bigint,
  tokenHash: Buffer,
): Promise<{ generation: number; ends_at: Date } | undefined> {
  return tx
    .updateTable('sessions')
    .set({ token_hash: tokenHash, written_at: sql`now()`, generation: sql`generation + 1` })
    .where('id', '=', sessionId)
    .returning(['generation', endOf(app).as('ends_at')])
    .executeTakeFirst()
}

const MOST_METHODS = 20

/** Adds a proof. The first (the login) and the latest ones are kept: a row that grows with each call would be a way to fill the disk. */
export async function addMethod(
  tx: Tx,
  sessionId: bigint,
  method: AuthenticationMethod,
): Promise<AuthenticationMethod[]> {
  const row = await tx
    .updateTable('sessions')
    .set({
      methods: sql`(case when jsonb_array_length(methods) >= ${MOST_METHODS} then methods - 1 else methods end)
        || ${JSON.stringify([method])}::jsonb`,
      written_at: sql`now()`,
    })
    .where('id', '=', sessionId)
    .returning('methods')
    .$narrowType<{ methods: AuthenticationMethod[] }>()
    .executeTakeFirst()
  return row?.methods ?? []
}

export async function saveStepState(
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

/**
 * Takes one value out of the `scratch` of a session, in which a step keeps state for the next; undefined if it is not there (any more). One
 * statement, so that each value is used once.
 */
export async function consumeStepState(tx: Tx, sessionId: bigint, key: string): Promise<unknown> {
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
    .$if(except !== undefined, (query) => query.where('id', '!=', must(except)))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function deleteSession(tx: Tx, id: bigint): Promise<boolean> {
  const result = await tx.deleteFrom('sessions').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

export type Device = { id: bigint; ip: string; user_agent: string; created_at: Date; written_at: Date }

/** The sessions of a user, newest last; sessions past their time are removed on the way. */
export async function devicesOf(app: App, tx: Tx, userId: string): Promise<Device[]> {
  await sql`delete from sessions s where s.user_id = ${userId} and not ${isLive(app)}`.execute(tx)
  return tx
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'written_at', sql<string>`host(ip)`.as('ip')])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** Locks the live session of an active user, so that refreshes of one session take turns. */
export async function lockLiveSession(
  app: App,
  tx: Tx,
  id: bigint,
): Promise<{ generation: number; ends_at: Date } | undefined> {
  const result = await sql<{ generation: number; ends_at: Date }>`
    select s.generation, s.${endOf(app)} as ends_at from sessions s join users u on u.id = s.user_id
    where s.id = ${id} and ${maySignIn} and ${isLive(app)} for update of s`.execute(tx)
  return result.rows[0]
}

export async function touchSession(tx: Tx, id: bigint): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ written_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Removes the sessions that are past their time; run by a job. */
export async function sweep(app: App, tx: Tx): Promise<void> {
  await sql`delete from sessions s where not ${isLive(app)}`.execute(tx)
}
