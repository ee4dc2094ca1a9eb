import { messageOf } from '#foundation/server/error-code.ts'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const folder = fileURLToPath(new URL('../../../database/migrations/', import.meta.url))
// Any number that nobody else uses as an advisory lock in this database.
const LOCK = 7_242_011

/**
 * Brings the database to the newest schema: each file of database/migrations once, in order, each in a transaction
 * of its own with the note that it ran, so that a kill at any statement leaves either all or nothing of a file.
 * Two processes that start at once take turns. An edited file that already ran is refused.
 * `only` names the files to stop at, for restoring a backup into the schema of its time.
 */
export async function migrate(ownerUrl: string, { only }: { only?: readonly string[] } = {}): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())',
    )
    const pending = await pendingMigrations(client)
    const unknown = only?.find((name) => !pending.some((migration) => migration.name === name))
    if (unknown) throw new Error(`${unknown} is unknown to this release; a newer one made the backup.`)
    for (const migration of pending) if (only?.includes(migration.name) ?? true) await run(client, migration)
    // /readyz asks as the application's role whether all of them ran.
    await client.query("select allow_app('migrations', 'select')")
  } finally {
    await client.end()
  }
}

/** The names of the files that have not run yet; empty means current. */
export async function missingMigrations(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const ran = await client.query<{ name: string }>('select name from migrations')
  const names = new Set(ran.rows.map((row) => row.name))
  return (await migrationFiles()).filter((name) => !names.has(name))
}

type Migration = { name: string; text: string; hash: string }

async function pendingMigrations(client: pg.Client): Promise<Migration[]> {
  const ran = await client.query<{ name: string; hash: string }>('select name, hash from migrations')
  const hashes = new Map(ran.rows.map((row) => [row.name, row.hash]))
  const pending: Migration[] = []
  for (const name of await migrationFiles()) {
    const text = await readFile(folder + name, 'utf8')
    const hash = createHash('sha256').update(text).digest('hex')
    const before = hashes.get(name)
    if (before === undefined) pending.push({ name, text, hash })
    else if (before !== hash)
      throw new Error(`${name} was changed after it ran. Write a new migration instead.`)
  }
  return pending
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
}

async function run(client: pg.Client, { name, text, hash }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`${name}: ${messageOf(error)}`, { cause: error })
  }
}
