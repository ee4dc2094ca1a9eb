import * as z from 'zod/mini'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { decrypting, isEncrypted, type OpenedBy } from './encryption.ts'
import { tarEntries, type Entry } from './tar.ts'

// An archive is a gzipped tar, encrypted by age if the operator wants that. Its entries, in this order: HEAD, rows
// (tables/NAME/PART.jsonl), SEQUENCES, uploaded files (files/KEY) or a list of the keys that the bucket must hold (bucket/PART.txt),
// SECRET_KEY if it was asked for, and SUMS.
export const HEAD = 'hostdesk-backup.json'
export const SEQUENCES = 'sequences.json'
export const SECRET_KEY = 'keys/secret-key'
export const SUMS = 'sums.json'

const backupHead = z.object({
  hostdesk_backup: z.literal(2),
  made_at: z.string(),
  migrations: z.array(z.string()),
  /** The hash of each migration by its name, by which an archive of another commit is known. Archives made before have none. */
  hashes: z.optional(z.record(z.string(), z.string())),
})
export type BackupHead = z.output<typeof backupHead>

const sum = z.object({ count: z.number(), sum: z.string() })

export const backupSums = z.object({
  tables: z.record(z.string(), sum),
  files: sum,
  bytes_of_files: z.number(),
  /** Files that were removed while the backup ran. */
  gone: z.number(),
  bucket: sum,
})
export type BackupSums = z.output<typeof backupSums>

export const sequences = z.record(z.string(), z.string())

/**
 * Returns the head of an archive, and an iterator over the entries after it. Throws if the file is no backup of Hostdesk, or cannot be
 * decrypted.
 */
export async function openArchive(
  file: string,
  by: OpenedBy,
): Promise<{ head: BackupHead; entries: AsyncGenerator<Entry> }> {
  const sealed = isEncrypted(await beginningOf(file))
  const source = createReadStream(file, { highWaterMark: 1 << 20 })
  const entries = tarEntries(await plainOf(source, sealed, by))
  const first = await entries.next().catch((error: unknown) => {
    source.destroy()
    throw new Error('This file is no backup of Hostdesk.', { cause: error })
  })
  try {
    if (!first.done && first.value.name === HEAD)
      return { head: backupHead.parse(JSON.parse(first.value.body.toString())), entries }
  } catch {
    // Reported below.
  }
  await entries.return(undefined)
  throw new Error('This file is no backup of Hostdesk.')
}

async function plainOf(source: Readable, sealed: boolean, by: OpenedBy): Promise<AsyncIterable<Buffer>> {
  const zipped = sealed ? await decrypting(source, by) : source
  const plain = createGunzip({ chunkSize: 1 << 18 })
  zipped.on('error', (error) => plain.destroy(error))
  return zipped.pipe(plain)
}

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Returns the table whose rows the entry of this name holds; undefined where the entry holds no rows. */
export const tableOf = (name: string): string | undefined => /^tables\/(\w+)\/\d+\.jsonl$/.exec(name)?.[1]

export const keyOfFile = (name: string): string | undefined => /^files\/([0-9a-z.]+)$/.exec(name)?.[1]

export const isBucketList = (name: string): boolean => name.startsWith('bucket/')

export const linesIn = (body: Buffer): string[] => body.toString().split('\n').slice(0, -1)
