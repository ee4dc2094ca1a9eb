import * as contract from '#features/support/files/contract.ts'
import type { Readable } from 'node:stream'
import type { App } from '#foundation/server/app.ts'
import { setDownloadHeaders } from '#foundation/server/http/download-headers.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { keepAs } from './file-names.ts'
import * as queries from './file-queries.ts'
import { keyOf, previewKeyOf } from './stored-names.ts'

/**
 * Answers the bytes as they were uploaded, as a download: browsers do not show the file, and the headers keep it from running anything
 * (rule 25).
 */
export const getAttachment = handler(contract.getAttachment, async ({ app, actor, params, reply }) => {
  const row = await queries.attachmentFor(app.db, params.attachmentId, actor)
  if (!row) throw notFound()
  const bytes = await openKept(app, keyOf(row.public_id))
  setDownloadHeaders(reply)
  reply.headers({
    'content-type': row.type === 'text/plain' ? 'text/plain; charset=utf-8' : row.type,
    'content-length': row.size.toString(),
    'content-disposition': keepAs(row.name),
    // RFC 9530: the recipient can verify that the file is complete.
    'repr-digest': `sha-256=:${row.sha256.toString('base64')}:`,
  })
  await reply.send(bytes)
  return null
})

/** Answers the redrawn picture: the only part of an upload that a page may show. */
export const getPreview = handler(contract.getPreview, async ({ app, actor, params, reply }) => {
  const row = await queries.attachmentFor(app.db, params.attachmentId, actor)
  if (!row || row.preview_width === null) throw notFound()
  const bytes = await openKept(app, previewKeyOf(row.public_id))
  setDownloadHeaders(reply)
  reply.headers({ 'content-type': 'image/webp', 'content-disposition': 'inline' })
  await reply.send(bytes)
  return null
})

async function openKept(app: App, key: string): Promise<Readable> {
  const bytes = await app.storage.open(key)
  if (bytes) return bytes
  app.log.error(
    { key },
    'an attachment has a row, but no bytes: was the database restored without the files?',
  )
  throw notFound()
}
