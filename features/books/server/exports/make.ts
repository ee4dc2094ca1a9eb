import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EXPORTS_CHANGED } from '#features/books/contract.ts'
import type { exportFailures } from '#features/books/rules.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { ArchiveTooLarge } from '#foundation/server/zip.ts'
import { contentOf, type Made } from './content.ts'
import * as queries from './queries.ts'

export const MAKE_EXPORT = jobKind('make_book_export', 'heavy')

const ENDING = '.export'

/**
 * Writes a file and keeps it. The last statement names the file in the row: a run that ends earlier leaves a file that no row names,
 * and the next run makes another.
 */
export async function makeExport(app: App, { id }: { id: string }): Promise<void> {
  const wanted = await queries.exportById(app.db, id)
  if (wanted?.state !== 'waiting') return
  const key = `${randomBytes(16).toString('hex')}${ENDING}`
  const at = path.join(app.storage.incoming, randomUUID())
  const made = contentOf(app, wanted)
  try {
    const { sha256, bytes } = await writeTo(await open(at, 'wx', 0o600), made.content)
    await app.storage.keep(key, at)
    const { name, outcome } = made
    const isOurs = await transaction(app, 'system', async (tx) => {
      await publishToStaff(tx, { type: EXPORTS_CHANGED })
      return queries.finish(tx, id, { key, name, sha256, bytes, ...outcome })
    })
    if (!isOurs) await app.storage.remove(key)
  } catch (error) {
    if (!(error instanceof ArchiveTooLarge)) throw error
    await fail(app, id, 'too_large')
  } finally {
    await rm(at, { force: true })
  }
}

/** Marks an export as failed, after its job has failed for the last time. */
export const giveUpExport = (app: App, { id }: { id: string }): Promise<void> => fail(app, id, 'gave_up')

const fail = (app: App, id: string, failure: (typeof exportFailures)[number]): Promise<void> =>
  transaction(app, 'system', async (tx) => {
    await publishToStaff(tx, { type: EXPORTS_CHANGED })
    await queries.fail(tx, id, failure)
  })

/** Writes to a file, flushes it to the disk and closes it. */
export async function writeTo(
  file: FileHandle,
  content: Made['content'],
): Promise<{ sha256: Buffer; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted() {
    for await (const piece of content) {
      hash.update(piece)
      bytes += piece.length
      yield piece
    }
  }
  await pipeline(Readable.from(counted()), file.createWriteStream({ flush: true }))
  return { sha256: hash.digest(), bytes }
}

const DAY_ms = 86_400_000

/**
 * Removes files that have expired, and files of runs that were cut off. Gives up exports that have waited for a day: a job whose
 * process dies each time never reports its end, nor does a job that somebody deleted.
 */
export async function removeOldExports(app: App): Promise<void> {
  for (const id of await queries.forgotten(app.db)) await giveUpExport(app, { id })
  for (const { id, key } of await queries.outdated(app.db)) {
    await app.storage.remove(key)
    await transaction(app, 'system', (tx) => queries.forget(tx, id))
  }
  const old: string[] = []
  for await (const { key, changed_at } of app.storage.list())
    if (key.endsWith(ENDING) && Date.now() - changed_at.getTime() > DAY_ms) old.push(key)
  const named = await queries.namedKeys(app.db, old)
  for (const key of old) if (!named.has(key)) await app.storage.remove(key)
}
