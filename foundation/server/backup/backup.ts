import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { toPrimary } from '#foundation/server/database/primary.ts'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { createHash } from 'node:crypto'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import type { Secret } from '#foundation/server/secret.ts'
import type { Storage } from '#foundation/server/storage/store.ts'
import { Refused } from '#foundation/server/operator-errors.ts'
import { HEAD, SECRET_KEY, SEQUENCES, SUMS, type BackupHead, type BackupSums } from './archive.ts'
import type { SealedFor } from './age/age.ts'
import { encrypting } from './encryption.ts'
import { beginSnapshot, hashesOf, noteBackup, rowsOf, sequencesOf, tablesOf } from './queries.ts'
import { readAhead } from './read-ahead.ts'
import { Summing } from './sums.ts'
import { tarEnd, tarEntry, type Entry } from './tar.ts'

export type Wanted = {
  ownerUrl: string
  file: string
  /** Undefined leaves the files out. */
  storage?: Storage
  /** True if the files are in a bucket: the archive then only lists them. */
  isInBucket?: boolean
  sealedFor?: SealedFor | undefined
  /** Saved in the archive as well, which must then be encrypted. */
  secretKey?: Secret | undefined
  progress?: (so: Progress) => void
}

type Progress = { doing: string; rows: number; files: number; bytes: number }

/**
 * Writes the whole installation to one file: a snapshot of the database at one moment, with the waiting jobs, and every
 * uploaded file that the snapshot names. The product runs on meanwhile. The backup file appears when it is complete.
 */
export async function backUp(wanted: Wanted): Promise<BackupSums> {
  const { ownerUrl, file, sealedFor } = wanted
  if (wanted.secretKey && !sealedFor)
    throw new Refused('Keys are only written to a backup that is encrypted.')
  const client = new pg.Client({ connectionString: toPrimary(ownerUrl) })
  await client.connect()
  const half = `${file}.incomplete`
  const work = { ...wanted, client, made_at: new Date(), so: { doing: '', rows: 0, files: 0, bytes: 0 } }
  const sums = emptySums()
  try {
    await beginSnapshot(client)
    const written = createWriteStream(half, { mode: 0o600, flush: true })
    try {
      // All steps are in one pipeline, so that a lost connection to the database makes the backup fail, and not the process.
      const plain = Readable.from(tarOf(work, sums), { objectMode: false })
      const sealed = (zipped: AsyncIterable<Buffer>) => encrypting(zipped, sealedFor)
      await pipeline(plain, createGzip({ level: 3 }), sealed, written)
    } finally {
      // A failed pipeline rejects before its file is closed, or even created.
      await finished(written).catch(() => {})
    }
    renameSync(half, file)
    await client.query('rollback')
    await noteBackup(client, {
      file,
      made_at: work.made_at,
      row_count: work.so.rows,
      file_count: sums.files.count,
      size_bytes: statSync(file).size,
    })
  } finally {
    rmSync(half, { force: true })
    await client.end()
  }
  return sums
}

type Work = Wanted & { client: pg.Client; made_at: Date; so: Progress }

const emptySums = (): BackupSums => ({
  tables: {},
  files: new Summing().value,
  bytes_of_files: 0,
  gone: 0,
  bucket: new Summing().value,
})

async function* tarOf(work: Work, sums: BackupSums): AsyncGenerator<Buffer> {
  for await (const entry of entriesOf(work, sums)) {
    work.so.bytes += entry.body.length
    yield* tarEntry(entry, work.made_at)
    work.progress?.(work.so)
  }
  yield tarEnd()
}

async function* entriesOf(work: Work, sums: BackupSums): AsyncGenerator<Entry> {
  const { client, secretKey } = work
  const hashes = await hashesOf(client)
  const head: BackupHead = {
    hostdesk_backup: 2,
    made_at: work.made_at.toISOString(),
    migrations: Object.keys(hashes),
    hashes,
  }
  yield { name: HEAD, body: jsonOf(head) }
  for (const table of await tablesOf(client)) yield* partsOf(work, table, sums)
  yield { name: SEQUENCES, body: jsonOf(await sequencesOf(client)) }
  // The files come after the snapshot: a file that one of its rows names was stored before the row was written.
  if (work.storage) yield* (work.isInBucket ? listOfBucket : filesOf)(work, work.storage, sums)
  if (secretKey) yield { name: SECRET_KEY, body: Buffer.from(`${secretKey.reveal()}\n`) }
  yield { name: SUMS, body: jsonOf(sums) }
}

const jsonOf = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)

const PART_BYTES = 4 << 20

async function* partsOf(work: Work, table: string, sums: BackupSums): AsyncGenerator<Entry> {
  const sum = new Summing()
  let part = 0
  let lines: string[] = []
  let length = 0
  const flush = (): Entry => {
    part += 1
    const body = Buffer.from(lines.join(''))
    lines = []
    length = 0
    return { name: `tables/${table}/${String(part).padStart(6, '0')}.jsonl`, body }
  }
  work.so.doing = table
  for await (const rows of readAhead(rowsOf(work.client, table))) {
    for (const row of rows) {
      sum.add(row)
      lines.push(`${row}\n`)
      length += row.length
    }
    work.so.rows += rows.length
    if (length >= PART_BYTES) yield flush()
  }
  if (lines.length > 0) yield flush()
  sums.tables[table] = sum.value
}

async function* filesOf(work: Work, storage: Storage, sums: BackupSums): AsyncGenerator<Entry> {
  const sum = new Summing()
  work.so.doing = 'files'
  for await (const { key } of storage.list()) {
    const opened = await storage.open(key)
    if (!opened) {
      sums.gone += 1
      continue
    }
    const body = await buffer(opened)
    sum.add(sumTextOf(key, body))
    sums.bytes_of_files += body.length
    work.so.files += 1
    yield { name: `files/${key}`, body }
  }
  sums.files = sum.value
}

/** Returns the text that a file adds to the sum of all files: its key and the SHA-256 of its bytes. */
export const sumTextOf = (key: string, body: Buffer): string =>
  `${key} ${createHash('sha256').update(body).digest('hex')}`

const KEYS_PER_PART = 10_000

async function* listOfBucket(work: Work, storage: Storage, sums: BackupSums): AsyncGenerator<Entry> {
  const sum = new Summing()
  let keys: string[] = []
  let part = 0
  const flush = (): Entry => {
    part += 1
    const body = Buffer.from(keys.map((key) => `${key}\n`).join(''))
    keys = []
    return { name: `bucket/${String(part).padStart(6, '0')}.txt`, body }
  }
  work.so.doing = 'list of the bucket'
  for await (const { key } of storage.list()) {
    sum.add(key)
    keys.push(key)
    if (keys.length >= KEYS_PER_PART) yield flush()
  }
  if (keys.length > 0) yield flush()
  sums.bucket = sum.value
}
