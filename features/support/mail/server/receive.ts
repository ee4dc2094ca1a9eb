import { createHash } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { folderWithSpace } from '#features/support/files/server/files.ts'
import { bodyOf, headOf } from './head.ts'
import * as queries from './received-queries.ts'

/** The job that decides about one mail. */
export const POST_MAIL = jobKind('post_mail', 'replies')

type Incoming = { bytes: Uint8Array; way: 'imap' | 'pipe'; recipient?: string | undefined }

/**
 * Stores a mail, to the byte, before anybody reads it; once this returns, the mail server may forget it. Returns false for a mail that is
 * stored already: it came twice, on one way or on two, or again after a backup was restored. Throws 503 if the disk is nearly full: the mail
 * server keeps the mail, and brings it later.
 */
export async function receive(app: App, { bytes, way, recipient }: Incoming): Promise<boolean> {
  await folderWithSpace(app)
  const mail = { digest: digestOf(bytes), way, recipient: recipient?.slice(0, 400) ?? null, content: bytes }
  return transaction(app, 'system', async (tx) => {
    const id = await queries.storeMail(tx, mail)
    if (id !== undefined) enqueue(tx, POST_MAIL, { id }, { key: `received:${id}` })
    return id !== undefined
  })
}

/** Gives a new job to each mail whose job was lost, and forgets old mails. */
export async function sweepReceived(app: App): Promise<void> {
  const ids = await queries.forgottenMails(app.db)
  await transaction(app, 'system', async (tx) => {
    for (const id of ids) enqueue(tx, POST_MAIL, { id }, { key: `received:${id}` })
    await queries.forgetOldMails(tx)
  })
}

// The headers that the author's program wrote. Servers on the way add others, by which the same mail differs.
const AUTHORS = /^(?:message-id|date|from|to|subject)$/iu

/**
 * Returns what is the same in each copy of a mail: what its author wrote. The ids of mails alone are not enough, since anybody can send one with
 * the id of another mail, and that must not keep the other one out.
 */
function digestOf(bytes: Uint8Array): Buffer {
  const hash = createHash('sha256')
  const lines = Buffer.from(headOf(bytes))
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n[ \t]+/gu, ' ')
    .split('\n')
  const written = lines.filter((line) => AUTHORS.test(line.split(':')[0] ?? ''))
  const body = bodyOf(bytes)
  const isMail = written.length > 0 && (body.byteLength > 0 || lines.at(-2) === '')
  // Bytes that are no mail are alike in the lack of headers and text: only all of them tell one from another.
  if (!isMail) return hash.update(bytes).digest()
  for (const line of written) hash.update(`${line.trimEnd()}\n`)
  hash.update(Buffer.from(body).toString('latin1').replaceAll('\r\n', '\n').trimEnd(), 'latin1')
  return hash.digest()
}
