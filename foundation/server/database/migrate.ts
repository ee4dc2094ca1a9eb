import { createHash } from 'node:crypto'
import { toPrimary } from './primary.ts'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ConfigError } from '#foundation/server/config-error.ts'
import { errorCode } from '#foundation/server/error-code.ts'
import { runMigration, type Migration } from './run-migration.ts'
import { waitFor, type Waiting } from './wait-for.ts'

const database = fileURLToPath(new URL('../../../database/', import.meta.url))
/** The step that a database begins with: the files of database/baseline, in order. It is the schema of 0.1.0 and never changes. */
const BASELINE = 'baseline'
// Any number that nobody else uses as an advisory lock in this database.
const LOCK = 7_242_011
const MADE_BEFORE =
  'The database was made before version 0.1.0, which no release reads. Start with an empty database, or an empty DATA_DIR.'

type MigrateOptions = {
  /** Runs only the files with these names, to restore a backup into the schema of its time. */
  only?: readonly string[]
  /** Accepts a database that the next release has migrated, for an operator who goes back one release on purpose. */
  acceptNewer?: boolean
  /** How long to wait for others, and whom to tell. */
  waiting?: Waiting
}

/**
 * Brings the database to the newest schema: runs the baseline and then each file of database/migrations once, in order, and records that in
 * the same transaction, so that a kill at any statement leaves all of a step or nothing. Two processes that start at once take turns. A step
 * that was edited after it ran is refused, and so is a database that a newer release has migrated, or that was made before the baseline.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<void> {
  const { only, acceptNewer = false, waiting = {} } = options
  const client = new pg.Client({ connectionString: toPrimary(ownerUrl) })
  await client.connect()
  try {
    // The lock is tried again and again, because `create index concurrently` waits for every open statement, and would wait for a statement
    // that waits for this lock.
    await waitFor('another process migrates the database', waiting, async () => {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
        LOCK,
      ])
      return rows[0]?.mine === true
    })
    await client.query(
      'create table if not exists migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())',
    )
    await refuseOlder(client)
    if (!acceptNewer) await refuseNewer(client)
    const pending = await pendingMigrations(client)
    if (only && !only.includes(BASELINE))
      throw new Error('The backup was made before version 0.1.0, which no release reads.')
    const unknown = only?.find((name) => !pending.some((migration) => migration.name === name))
    if (unknown) throw new Error(`${unknown} is unknown to this release; a newer one made the backup.`)
    for (const migration of pending)
      if (only?.includes(migration.name) ?? true) await runMigration(client, migration, waiting)
    // Lets the application read the table, because /readyz checks that all migrations have run.
    await client.query("select allow_app('migrations', 'select')")
  } finally {
    await client.end()
  }
}

/** The names of the files that have not run yet; empty means current. */
export async function missingMigrations(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const names = new Set(await ranMigrations(client))
  return (await stepNames()).filter((name) => !names.has(name))
}

async function refuseOlder(client: pg.Client): Promise<void> {
  const ran = await ranMigrations(client)
  if (ran.length === 0 || ran.includes(BASELINE)) return
  throw new ConfigError([MADE_BEFORE])
}

async function refuseNewer(client: pg.Client): Promise<void> {
  const known = await stepNames()
  const newer = (await ranMigrations(client)).filter((name) => !known.includes(name)).toSorted()
  if (newer.length === 0) return
  throw new ConfigError([
    `The database is newer than this release: it has ${newer.at(-1)}, this release ends with ${known.at(-1)}. ` +
      'Start the newer release, or restore a backup of this one; ACCEPT_NEWER_DATABASE=on goes back exactly one release.',
  ])
}

async function ranMigrations(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  return rows.map(({ name }) => name)
}

async function pendingMigrations(client: pg.Client): Promise<Migration[]> {
  const ran = await client.query<{ name: string; hash: string }>('select name, hash from migrations')
  const hashes = new Map(ran.rows.map((row) => [row.name, row.hash]))
  const pending: Migration[] = []
  for (const name of await stepNames()) {
    const text =
      name === BASELINE ? await baseline() : await readFile(`${database}migrations/${name}`, 'utf8')
    const hash = createHash('sha256').update(text).digest('hex')
    const before = hashes.get(name)
    if (before === undefined) pending.push({ name, text, hash })
    // A checkout from before the release has made a beginning of its own, from which no migration leads on.
    else if (before !== hash && name === BASELINE) throw new ConfigError([MADE_BEFORE])
    else if (before !== hash)
      throw new Error(`${name} was changed after it ran. Write a new migration instead.`)
  }
  return pending
}

async function stepNames(): Promise<string[]> {
  return [BASELINE, ...(await sqlFiles('migrations'))]
}

/** Functions may name tables of later files, so that PostgreSQL looks into them only when they run. */
async function baseline(): Promise<string> {
  const files = (await sqlFiles('baseline')).map((name) => readFile(`${database}baseline/${name}`, 'utf8'))
  return ['set local check_function_bodies = off;\n', ...(await Promise.all(files))].join('\n')
}

/** The names of the files in order; none where the folder is not there, as before the first migration. */
async function sqlFiles(folder: 'baseline' | 'migrations'): Promise<string[]> {
  const names = await readdir(database + folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => name.endsWith('.sql')).toSorted()
}
