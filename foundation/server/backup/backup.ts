import * as z from 'zod/mini'
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { beginSnapshot, migrationsOf, rowsOf, sequencesOf, tablesOf } from './queries.ts'

/** The first line of a backup; the first letter of each later line is its kind, see `linesOf`. */
export const backupHead = z.object({
  hostdesk_backup: z.literal(1),
  made_at: z.string(),
  migrations: z.array(z.string()),
})
export type BackupHead = z.output<typeof backupHead>

/**
 * Writes the whole database, as it was at one moment, to `file` (gzip, lines of text). Nobody has to stop for it.
 * The file appears when it is complete. Answers how many rows it holds.
 */
export async function backUp(ownerUrl: string, file: string): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const half = `${file}.incomplete`
  const count = { rows: 0 }
  try {
    await beginSnapshot(client)
    const written = createWriteStream(half, { mode: 0o600, flush: true })
    try {
      await pipeline(Readable.from(linesOf(client, count)), createGzip(), written)
    } finally {
      // A pipeline that fails ends before its file is closed, or even made.
      await finished(written).catch(() => {})
    }
    renameSync(half, file)
  } finally {
    rmSync(half, { force: true })
    await client.end()
  }
  return count.rows
}

/** T name: a table begins. R json: a row of it. S json: the sequences. E number: the end, and how many rows. */
async function* linesOf(client: pg.Client, count: { rows: number }): AsyncGenerator<string> {
  const migrations = await migrationsOf(client)
  const head: BackupHead = { hostdesk_backup: 1, made_at: new Date().toISOString(), migrations }
  yield `${JSON.stringify(head)}\n`
  for (const table of await tablesOf(client)) {
    yield `T ${table}\n`
    for await (const rows of rowsOf(client, table)) {
      count.rows += rows.length
      yield rows.map((row) => `R ${row}\n`).join('')
    }
  }
  yield `S ${JSON.stringify(await sequencesOf(client))}\n`
  yield `E ${count.rows}\n`
}
