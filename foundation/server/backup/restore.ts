import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { skipNumbers } from '#foundation/server/account-events/restored-queries.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { Refused } from '#foundation/server/operator-errors.ts'
import type { Storage } from '#foundation/server/storage/store.ts'
import {
  isBucketList,
  keyOfFile,
  linesIn,
  openArchive,
  SECRET_KEY,
  SEQUENCES,
  sequences,
  tableOf,
  type BackupSums,
} from './archive.ts'
import type { OpenedBy } from './encryption.ts'
import {
  analyzeTables,
  beginSnapshot,
  columnsOf,
  dropIndices,
  emptyTables,
  insertRows,
  isEmpty,
  rowsOf,
  setSequence,
  suspendGuards,
  tablesOf,
} from './queries.ts'
import { readAhead } from './read-ahead.ts'
import { Summing } from './sums.ts'
import type { Entry } from './tar.ts'
import { differences, verifyBackup } from './verify.ts'

type RestoreOptions = {
  ownerUrl: string
  file: string
  by: OpenedBy
  /** Puts the files back; undefined leaves them out, as in a drill. */
  storage?: Storage
  /** Gets the key of the installation, where the archive holds it. */
  keepKey?: (key: string) => Promise<void>
  /** The database goes back to an earlier state, after which others have read on. */
  goesBack?: boolean
  /** Reads the restored rows again and compares them with the archive. */
  compare?: boolean
  progress?: (doing: string, rows: number) => void
}

type Restored = {
  made_at: string
  rows: number
  files: number
  /** Names of files that the bucket must hold and does not. */
  missing: string[]
  sums: BackupSums
}

/**
 * Fills an empty database from a backup: first the schema as it was then, then the rows (in one transaction) and the files, then the
 * migrations that came since. The archive is read through before anything is written. Throws Refused if the database is not empty, and
 * Error if the archive is no backup of Hostdesk, cut short or damaged; nothing is kept then but the empty schema.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { ownerUrl, file, by, progress = () => {} } = options
  return withConnection(ownerUrl, async (client) => {
    if (!(await isEmpty(client))) throw new Refused('The database is not empty. Restore into an empty one.')
    const { head, sums } = await verifyBackup(file, by, (rows) => progress('reading the backup', rows))
    await migrate(ownerUrl, { only: head.migrations.map((name) => ({ name, hash: head.hashes?.[name] })) })
    await client.query('begin')
    const { rows, files, listed } = await load(client, options)
    await client.query('commit')
    await analyzeTables(client, await tablesOf(client))
    if (options.compare) await compareRows(client, sums)
    progress('migrating', rows)
    await migrate(ownerUrl)
    if (options.goesBack) await skipNumbers(client)
    const missing = await missingIn(listed, options.storage)
    return { made_at: head.made_at, rows, files, missing, sums }
  })
}

type Loaded = { rows: number; files: number; listed: string[] }

async function load(client: pg.Client, { file, by, storage, ...options }: RestoreOptions): Promise<Loaded> {
  const { entries } = await openArchive(file, by)
  const tables = await tablesOf(client)
  const resumeGuards = await suspendGuards(client, tables)
  const makeIndices = await dropIndices(client, tables)
  await emptyTables(client, tables)
  const loaded: Loaded = { rows: 0, files: 0, listed: [] }
  for await (const entry of readAhead(entries)) {
    const table = tableOf(entry.name)
    const key = keyOfFile(entry.name)
    if (table !== undefined) {
      loaded.rows += await insertPart(client, knownTable(table, tables), entry)
      options.progress?.(table, loaded.rows)
    } else if (entry.name === SEQUENCES) await setSequences(client, entry)
    else if (isBucketList(entry.name)) loaded.listed.push(...linesIn(entry.body))
    else if (entry.name === SECRET_KEY) await options.keepKey?.(entry.body.toString().trim())
    else if (key !== undefined && storage) {
      await keepFile(storage, key, entry.body)
      loaded.files += 1
    }
  }
  options.progress?.('indices', loaded.rows)
  await makeIndices()
  options.progress?.('references', loaded.rows)
  await resumeGuards()
  return loaded
}

const BATCH = 2000

async function insertPart(client: pg.Client, table: string, { body }: Entry): Promise<number> {
  const rows = linesIn(body)
  const columns = await columnsOf(client, table)
  for (let first = 0; first < rows.length; first += BATCH)
    await insertRows(client, table, columns, rows.slice(first, first + BATCH))
  return rows.length
}

function knownTable(table: string, tables: string[]): string {
  if (!tables.includes(table)) throw new Error(`The backup holds a table that is unknown here: ${table}.`)
  return table
}

async function setSequences(client: pg.Client, { body }: Entry): Promise<void> {
  for (const [sequence, last] of Object.entries(sequences.parse(JSON.parse(body.toString()))))
    await setSequence(client, sequence, last)
}

async function keepFile(storage: Storage, key: string, body: Buffer): Promise<void> {
  const incoming = path.join(storage.incoming, `${key}.restored`)
  await writeFile(incoming, body, { mode: 0o600, flush: true })
  await storage.keep(key, incoming)
  await rm(incoming, { force: true })
}

/** Throws where a table has other rows than the archive. */
async function compareRows(client: pg.Client, said: BackupSums): Promise<void> {
  await beginSnapshot(client)
  const found: BackupSums['tables'] = {}
  for (const table of await tablesOf(client)) {
    const sum = new Summing()
    for await (const rows of readAhead(rowsOf(client, table))) for (const row of rows) sum.add(row)
    found[table] = sum.value
  }
  await client.query('rollback')
  const other = differences(said.tables, found)
  if (other.length > 0) throw new Error(`Restored rows differ from the backup: ${other.join(', ')}.`)
}

async function missingIn(listed: readonly string[], storage: Storage | undefined): Promise<string[]> {
  if (listed.length === 0 || !storage) return []
  const held = new Set<string>()
  for await (const { key } of storage.list()) held.add(key)
  return listed.filter((key) => !held.has(key))
}
