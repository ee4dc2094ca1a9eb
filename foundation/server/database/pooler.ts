import pg from 'pg'
import { toPrimary } from './primary.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import { messageOf } from '#foundation/server/error-code.ts'
import type { Secret } from '#foundation/server/secret.ts'
import { withConnection } from './with-connection.ts'

/**
 * The kind of server behind DATABASE_URL: PostgreSQL itself (`direct`), a pooler that gives each connection a PostgreSQL connection of its
 * own (`session`), or a pooler that gives it one for each transaction only (`transaction`). In the last case no setting of a session lasts.
 */
export type Way = { kind: 'direct' | 'session' | 'transaction'; preparesStatements: boolean }

const direct: Way = { kind: 'direct', preparesStatements: true }

type Addresses = { databaseUrl: Secret | undefined; directDatabaseUrl: Secret | undefined }

/** Finds the kind of server behind DATABASE_URL. Throws ConfigError, one line, if the product cannot work over it. */
export async function wayToDatabase({ databaseUrl, directDatabaseUrl }: Addresses): Promise<Way> {
  if (!databaseUrl) return direct
  const way = await inspectWay(databaseUrl.reveal())
  if (way.kind !== 'direct' && !directDatabaseUrl)
    throw new ConfigError([
      `DATABASE_URL leads to a pooler (in ${way.kind} mode), which carries neither LISTEN nor the queue's locks. Set DATABASE_LISTEN_URL to PostgreSQL itself, as the owner of the database.`,
    ])
  if (directDatabaseUrl && !(await takesSettings(directDatabaseUrl.reveal())))
    throw new ConfigError(['DATABASE_LISTEN_URL leads to a pooler, too. Set it to PostgreSQL itself.'])
  if (directDatabaseUrl && !(await areOne(databaseUrl, directDatabaseUrl)))
    throw new ConfigError([
      'DATABASE_URL and DATABASE_LISTEN_URL lead to two databases. Set both to the same one.',
    ])
  if (way.kind === 'transaction') await assertPooledUser(databaseUrl.reveal())
  return way
}

async function areOne(...urls: Secret[]): Promise<boolean> {
  const answers = await Promise.all(
    urls.map((url) =>
      withConnection(url.reveal(), (client) =>
        client.query<{ name: string }>(
          "select current_database() || ' since ' || extract(epoch from pg_postmaster_start_time()) as name",
        ),
      ),
    ),
  )
  return new Set(answers.map(({ rows }) => rows[0]?.name)).size === 1
}

/**
 * Finds the kind of server by trying, because a pooler says nowhere what it is. PgBouncer refuses or ignores settings that come with a
 * connection. A second connection that stays in a transaction shows if two transactions of the first may run on different PostgreSQL
 * connections.
 */
async function inspectWay(url: string): Promise<Way> {
  if (await takesSettings(url)) return direct
  return withTwo(url, async (one, other) => {
    const before = await backendOf(one)
    await other.query('begin')
    try {
      // The pooler gives `other` the PostgreSQL connection that became free last: the one of `one`, if the pooler took it back after the
      // query.
      const isShared = (await backendOf(other)) === before || (await backendOf(one)) !== before
      if (!isShared) return { kind: 'session', preparesStatements: true }
    } finally {
      await other.query('rollback')
    }
    return { kind: 'transaction', preparesStatements: await findsStatements(one, other) }
  })
}

/**
 * Throws ConfigError unless the database user itself has the time zone, limits and rights: in transaction mode no setting of a session
 * lasts.
 */
async function assertPooledUser(url: string): Promise<void> {
  const { rows } = await withConnection(url, (client) =>
    client.query<PooledUser>(`
      select current_user as name, current_setting('timezone') as timezone,
        extract(epoch from current_setting('statement_timeout')::interval) as statement_s,
        extract(epoch from current_setting('lock_timeout')::interval) as lock_s,
        extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval) as idle_s,
        has_schema_privilege('public', 'create') as is_owner,
        exists (select from pg_roles where rolname = 'hostdesk_app') as has_role`),
  )
  const [user] = rows
  if (user && !isFit(user)) throw new ConfigError([unfit(user.name)])
}

type PooledUser = {
  name: string
  timezone: string
  statement_s: string
  lock_s: string
  idle_s: string
  is_owner: boolean
  has_role: boolean
}

const isFit = ({ timezone, statement_s, lock_s, idle_s, is_owner, has_role }: PooledUser): boolean =>
  timezone === 'UTC' &&
  [statement_s, lock_s, idle_s].every((limit_s) => Number(limit_s) > 0) &&
  !(is_owner && has_role)

const unfit = (name: string): string =>
  `DATABASE_URL leads over a pooler in transaction mode, so its user (${name}) must bring its own limits and no right to create tables. Make one: create role hostdesk_pool login password '…' in role hostdesk_app; alter role hostdesk_pool set timezone = 'UTC'; alter role hostdesk_pool set statement_timeout = '5s'; alter role hostdesk_pool set lock_timeout = '2s'; alter role hostdesk_pool set idle_in_transaction_session_timeout = '10s'`

async function takesSettings(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: toPrimary(url),
    connectionTimeoutMillis: 5000,
    options: '-c lock_timeout=1999ms',
  })
  try {
    await client.connect()
    const { rows } = await client.query<{ lock_timeout: string }>('show lock_timeout')
    return rows[0]?.lock_timeout === '1999ms'
  } catch (error) {
    if (/unsupported startup parameter/.test(messageOf(error))) return false
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** True if a statement that was prepared on one PostgreSQL connection is found, or prepared again, on another (PgBouncer from 1.21 on). */
async function findsStatements(one: pg.Client, other: pg.Client): Promise<boolean> {
  const statement = { name: `hostdesk_${process.pid}`, text: 'select $1::int as answer', values: [1] }
  await one.query(statement)
  await other.query('begin')
  try {
    await one.query(statement)
    return true
  } catch {
    return false
  } finally {
    await other.query('rollback')
  }
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

async function withTwo<T>(url: string, work: (one: pg.Client, other: pg.Client) => Promise<T>): Promise<T> {
  const connecting = { connectionString: toPrimary(url), connectionTimeoutMillis: 5000 }
  const [one, other] = [new pg.Client(connecting), new pg.Client(connecting)]
  try {
    await one.connect()
    await other.connect()
    return await work(one, other)
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => {})))
  }
}
