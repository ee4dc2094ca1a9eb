import { MOST_BYTES, MOST_UNUSED_BYTES } from '#features/support/files/rules.ts'
import * as contract from '#features/support/files/contract.ts'
import { randomUUID } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { storageRefused } from '#foundation/server/full-disk.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { ENVELOPE_BYTES, receiveFile, type ReceivedFile } from '#foundation/server/http/receive-file.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { randomId } from '#foundation/server/random-id.ts'
import type { Attachment } from '#features/support/tickets/contract.ts'
import {
  assertFits,
  keptAndExtra,
  personOf,
  toAttachmentReply,
} from '#features/support/tickets/server/tickets.ts'
import { cleanName } from './file-names.ts'
import { typeOf } from './file-types.ts'
import { bytesInFlight, inFlight } from './in-flight.ts'
import { makePreview, type Preview } from './pictures.ts'
import * as queries from './file-queries.ts'
import { keyOf, previewKeyOf } from './stored-names.ts'

export { keptBytesOfAll } from './file-queries.ts'
export { setExtraStorage } from './storage.ts'
export { namedFile } from './named-things.ts'

export const uploadAttachment = handler(contract.uploadAttachment, async ({ app, actor, request }) => {
  const uploader_id = personOf(app, actor)
  if ((await queries.unusedBytes(app.db, uploader_id)) > MOST_UNUSED_BYTES)
    throw new HttpError(409, [{ code: 'too_many_uploads' }])
  // The announced size counts up to MOST_BYTES: `receiveFile` refuses a larger file as too large, not for the quota.
  const announced = Math.min(Number(request.headers['content-length'] ?? 0) - ENVELOPE_BYTES, MOST_BYTES)
  const { kept, extra } = await keptAndExtra(app.db, actor.user_id)
  const assertSpace = (bytes: number) => assertFits(app, { kept: kept + bytes, extra })
  assertSpace(bytesInFlight(app, actor.user_id) + Math.max(0, announced))
  const folder = await folderWithSpace(app)
  // All running uploads of a person count together: they have no rows yet, and many at once would fill the disk before one is refused.
  const file = await inFlight(app, actor.user_id, (take) =>
    receiveFile(request, { folder, most_bytes: MOST_BYTES, taking: (bytes) => assertSpace(take(bytes)) }),
  )
  return { status: 201, body: await keepAttachment(app, { user_id: actor.user_id, uploader_id }, file) }
})

/**
 * Stores a file that is complete in a temporary folder: the bytes first, then the row (rule 25), in a transaction of its own or `within`
 * another; until a message uses it, it counts towards the quota of `user_id`. A failure on the way removes the temporary file and the bytes; leftovers of a crash are removed by the sweeper.
 */
export async function keepAttachment(
  app: App,
  { user_id, uploader_id }: Pick<queries.NewAttachment, 'user_id' | 'uploader_id'>,
  file: ReceivedFile,
  within?: Tx,
): Promise<Attachment> {
  const public_id = randomId()
  const { size, sha256 } = file
  try {
    const type = typeOf(file)
    const preview = await makePreview(file.path, type)
    await unlessDiskRefuses(() => store(app, public_id, file.path, preview))
    const insert = async (tx: Tx) => {
      const row = await queries.insertAttachment(tx, {
        public_id,
        user_id,
        uploader_id,
        name: cleanName(file.name),
        type,
        size,
        sha256,
        preview_width: preview?.width ?? null,
        preview_height: preview?.height ?? null,
      })
      // The insert above adds the bytes to the person's sum under a lock, so that each of many inserts at once sees the inserts before it.
      assertFits(app, await keptAndExtra(tx, user_id))
      return row
    }
    const row = await (within ? insert(within) : transaction(app, { userId: user_id }, insert))
    return toAttachmentReply(row)
  } catch (error) {
    await drop(app, public_id)
    throw error
  } finally {
    await rm(file.path, { force: true })
  }
}

async function store(app: App, public_id: string, from: string, preview: Preview | undefined): Promise<void> {
  await app.storage.keep(keyOf(public_id), from)
  if (!preview) return
  const drawn = path.join(app.storage.incoming, randomUUID())
  try {
    await writeFile(drawn, preview.bytes, { flag: 'wx', mode: 0o600, flush: true })
    await app.storage.keep(previewKeyOf(public_id), drawn)
  } finally {
    await rm(drawn, { force: true })
  }
}

/** Removes the stored bytes of a file. The sweeper removes later what cannot be removed now. */
async function drop(app: App, public_id: string): Promise<void> {
  for (const key of [keyOf(public_id), previewKeyOf(public_id)]) await app.storage.remove(key).catch(() => {})
}

/** Returns the folder for files on their way. Throws 503 if its disk is nearly full, so that the database keeps working. */
export async function folderWithSpace(app: App): Promise<string> {
  const folder = await unlessDiskRefuses(async () => app.storage.incoming)
  const { bavail, blocks, bsize } = await unlessDiskRefuses(() => statfs(folder))
  if (bavail * bsize < leastFree(blocks * bsize)) throw new HttpError(503, [{ code: 'cannot_save' }], 60)
  return folder
}

/** The bytes of a disk that stay free: 5 % of it, and 1 GB at least. */
export const leastFree = (disk: number): number => Math.max(disk * 0.05, 1e9)

/** Throws 503 for an error of the disk or the bucket: it is not the sender's error, and may pass. */
async function unlessDiskRefuses<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storageRefused(error)
  }
}
