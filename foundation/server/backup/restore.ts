import * as z from 'zod/mini'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { migrate } from '#foundation/server/database/migrate.ts'
import { backupHead, type BackupHead } from './backup.ts'
import { emptyTables, insertRows, isEmpty, setSequence, suspendGuards, tablesOf } from './queries.ts'

/**
 * Fills an empty database from a backup: first the schema as it was then, then the rows in one transaction, then the
 * migrations that came since. Throws Error when the database is not empty, or the file is none of ours or cut short;
 * nothing is kept then but the empty schema. Answers how many rows there were.
 */
export async function restore(ownerUrl: string, file: string): Promise<number> {
  const lines = linesOf(file)
  const head = readHead((await lines.next()).value ?? undefined)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    if (!(await isEmpty(client))) throw new Error('The database is not empty. Restore into an empty one.')
    await migrate(ownerUrl, { only: head.migrations })
    await client.query('begin')
    const rows = await load(client, lines)
    await client.query('commit')
    await migrate(ownerUrl)
    return rows
  } finally {
    await lines.return(undefined)
    await client.end()
  }
}

async function* linesOf(file: string): AsyncGenerator<string, undefined> {
  const source = createReadStream(file)
  const text = source.pipe(createGunzip()).setEncoding('utf8')
  source.on('error', (error) => text.destroy(error))
  let rest = ''
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest) yield rest
}

function readHead(line: string | undefined): BackupHead {
  try {
    return backupHead.parse(JSON.parse(line ?? ''))
  } catch {
    // Reported below.
  }
  throw new Error('This file is no backup of Hostdesk.')
}

const batch = 1000

async function load(client: pg.Client, lines: AsyncIterable<string>): Promise<number> {
  const tables = await tablesOf(client)
  const resumeGuards = await suspendGuards(client, tables)
  await emptyTables(client, tables)
  let [table, total, expected] = ['', 0, -1]
  let rows: string[] = []
  const flush = async () => {
    if (rows.length) await insertRows(client, table, rows)
    total += rows.length
    rows = []
  }
  for await (const line of lines) {
    const rest = line.slice(2)
    if (line.startsWith('R ')) rows.push(rest)
    if (rows.length >= batch || !line.startsWith('R ')) await flush()
    if (line.startsWith('T ')) table = knownTable(rest, tables)
    if (line.startsWith('S ')) await setSequences(client, rest)
    if (line.startsWith('E ')) expected = Number(rest)
  }
  if (total !== expected) throw new Error('The backup is cut short. Nothing was restored.')
  await resumeGuards()
  return total
}

function knownTable(table: string, tables: string[]): string {
  if (!tables.includes(table)) throw new Error(`The backup holds a table that is unknown here: ${table}.`)
  return table
}

async function setSequences(client: pg.Client, json: string): Promise<void> {
  const sequences = z.record(z.string(), z.string()).parse(JSON.parse(json))
  for (const [sequence, last] of Object.entries(sequences)) await setSequence(client, sequence, last)
}
