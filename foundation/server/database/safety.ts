import { errorCode, messageOf } from '#foundation/server/error-code.ts'
import { toPrimary } from './primary.ts'
import pg from 'pg'
import { ConfigError } from '#foundation/server/config-error.ts'

/**
 * Looks at the PostgreSQL behind `url` before anything is written. Throws ConfigError with one line for each thing
 * the product cannot run on (not reachable, too old) or, in production, must not run on (superuser, unsafe writes).
 */
export async function inspectDatabase(url: string, { production }: { production: boolean }): Promise<void> {
  const client = new pg.Client({ connectionString: toPrimary(url), connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
  } catch (error) {
    throw new ConfigError([unreachable(error)])
  }
  try {
    const lines = await findings(client, production)
    if (lines.length) throw new ConfigError(lines)
  } finally {
    await client.end()
  }
}

type State = {
  version: number
  superuser: boolean
  fsync: string
  synchronous_commit: string
  may_create: boolean
}

async function findings(client: pg.Client, production: boolean): Promise<string[]> {
  const result = await client.query<State>(`
    select current_setting('server_version_num')::int as version,
      (select rolsuper from pg_roles where rolname = current_user) as superuser,
      current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit,
      has_schema_privilege('public', 'create') as may_create`)
  const state = result.rows[0]
  if (!state) return []
  const lines: string[] = []
  if (state.version < 150_000) {
    const version = Math.floor(state.version / 10_000)
    lines.push(`DATABASE_URL leads to PostgreSQL ${version}; it must be 15 or newer. Set it to a newer one.`)
  }
  if (!state.may_create) {
    lines.push('DATABASE_URL names a user who may not create tables. Make him the owner of the database.')
  }
  if (!production) return lines
  if (state.superuser) {
    lines.push(
      'DATABASE_URL names a superuser, so that one hole would open the whole server. Set it to a user who only owns this database.',
    )
  }
  for (const name of ['fsync', 'synchronous_commit'] as const) {
    if (state[name] === 'off')
      lines.push(
        `DATABASE_URL leads to a PostgreSQL with ${name} off: a power cut would lose what was confirmed. Turn ${name} on there.`,
      )
  }
  return lines
}

/** Says what failed without the address, which holds a password. */
function unreachable(error: unknown): string {
  const code = errorCode(error)
  if (code === '28P01' || code === '28000')
    return 'DATABASE_URL: PostgreSQL refuses the user or the password. Correct them.'
  if (code === '3D000')
    return 'DATABASE_URL: PostgreSQL knows no such database. Create it, or correct the name.'
  return `DATABASE_URL: no PostgreSQL answers there (${code ?? messageOf(error)}). Start it, or correct DATABASE_URL.`
}

/** True before the first start has made the tables. */
export async function isEmptyDatabase(client: pg.Client): Promise<boolean> {
  const result = await client.query<{ empty: boolean }>(
    "select to_regclass('public.migrations') is null as empty",
  )
  return result.rows[0]?.empty === true
}

/**
 * Returns how far the clock of the database is ahead of the clock of this process, in ms. The time that the answer takes to arrive, a few
 * ms, is not corrected.
 */
export async function readClock(client: pg.Client): Promise<number> {
  const result = await client.query<{ now_ms: number }>(
    'select extract(epoch from clock_timestamp()) * 1000 as now_ms',
  )
  return Number(result.rows[0]?.now_ms) - Date.now()
}
