import { Readable } from 'node:stream'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/profile/contract.ts'
import { readProfile } from './profile.ts'
import { addressesOf } from './queries.ts'

type File = { path: string; read: () => Promise<object> }

/**
 * Answers with all data stored about the caller (GDPR, articles 15 and 20). Written file by file, so that
 * years of documents fill no memory. Needs a recent proof, against an intruder at an unlocked screen.
 */
export const downloadData = handler(contract.downloadData, async ({ app, actor, caller, reply }) => {
  const { user_id, locale } = actor
  const files: File[] = [
    {
      path: 'profile.json',
      read: async () => ({
        ...(await readProfile(app.db, actor)),
        addresses: (await addressesOf(app.db, user_id)).map(({ email, verified, is_primary }) => ({
          email,
          verified,
          primary: is_primary,
        })),
      }),
    },
  ]
  await transaction(app, { userId: user_id }, async (tx) => {
    await emit(app, tx, contract.dataRequested, {
      user_id,
      locale,
      add: (path, read) => void files.push({ path, read }),
    })
    const { ip, user_agent } = caller
    await recordAction(tx, { user_id, act: 'account.data_downloaded', ip, user_agent })
  })
  const day = new Date().toISOString().slice(0, 10)
  reply
    .header('content-type', 'application/zip')
    .header('content-disposition', `attachment; filename="my-data-${day}.zip"`)
  void reply.send(Readable.from(zipOf(files)))
  return null
})

async function* zipOf(files: readonly File[]): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = []
  const zip = new Zip((fault, bytes) => {
    if (fault) throw fault
    written.push(bytes)
  })
  for (const { path, read } of files) {
    const content = await read()
    // Documents are packed already.
    const isDocument = content instanceof Uint8Array
    const file = isDocument ? new ZipPassThrough(path) : new ZipDeflate(path)
    zip.add(file)
    file.push(isDocument ? content : Buffer.from(`${JSON.stringify(content, null, 2)}\n`), true)
    yield* written.splice(0)
  }
  zip.end()
  yield* written.splice(0)
}
