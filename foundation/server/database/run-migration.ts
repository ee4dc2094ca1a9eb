import type pg from 'pg'
import { errorCode, messageOf } from '#foundation/server/error-code.ts'
import { waitFor, watch, type Waiting } from './wait-for.ts'

export type Migration = { name: string; text: string; hash: string }

// Rule 9: a migration waits no longer for a lock, because every later request for the table waits behind it.
const LOCK_TIMEOUT_S = 2
/** The first line of a file whose statements make or drop indices while others read and write. */
const OUTSIDE = '-- outside a transaction'

/**
 * Runs one file in a transaction. If the file does not get a lock within 2 s, or runs into a deadlock, the transaction is undone and tried
 * again after a while, so that requests go on in between. A file with the mark OUTSIDE in its first line runs statement by statement; such
 * a file may hold only statements that can be repeated.
 */
export async function runMigration(client: pg.Client, migration: Migration, waiting: Waiting): Promise<void> {
  const { name, text } = migration
  try {
    if (text.startsWith(OUTSIDE)) await runOutside(client, migration, waiting)
    else
      await waitFor(`${name} needs a lock that others hold`, waiting, () =>
        runInTransaction(client, migration),
      )
  } catch (error) {
    if (error instanceof Error && error.name === 'ConfigError') throw error
    throw new Error(`${name}: ${messageOf(error)}`, { cause: error })
  }
}

/** Returns false if the file did not get a lock in time, or ran into a deadlock. */
async function runInTransaction(client: pg.Client, { name, text, hash }: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT_S}s'`)
    await client.query(text)
    await note(client, name, hash)
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (lockErrors.includes(errorCode(error) ?? '')) return false
    throw error
  }
}

/** lock_not_available and deadlock_detected. */
const lockErrors = ['55P03', '40P01']

async function runOutside(
  client: pg.Client,
  { name, text, hash }: Migration,
  waiting: Waiting,
): Promise<void> {
  for (const statement of statementsOf(text)) {
    const made = /^create (?:unique )?index concurrently (\w+) on /.exec(statement)?.[1]
    const dropped = /^drop index concurrently (\w+)$/.exec(statement)?.[1]
    if (made === undefined && dropped === undefined)
      throw new Error('outside a transaction only an index may be made or dropped, concurrently')
    // The index waits for every transaction that is older, such as a backup, but nobody waits for the index.
    await watch(
      perform(client, statement, { made, dropped }),
      `${name} reads the table, and waits for transactions that are older`,
      { limit_s: LONGEST_BUILD_S, ...waiting },
    )
  }
  await note(client, name, hash)
}

const LONGEST_BUILD_S = 6 * 3600

/** Makes or drops one index. It is safe to repeat: an index that a kill left invalid is dropped and made again. */
async function perform(
  client: pg.Client,
  statement: string,
  { made, dropped }: { made: string | undefined; dropped: string | undefined },
): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [made ?? dropped],
  )
  const isThere = rows.length > 0
  if (dropped !== undefined && !isThere) return
  if (made !== undefined && rows[0]?.valid === true) return
  if (made !== undefined && isThere) await client.query(`drop index concurrently ${made}`)
  await client.query(statement)
}

const statementsOf = (text: string): string[] =>
  text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')

async function note(client: pg.Client, name: string, hash: string): Promise<void> {
  await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
}
