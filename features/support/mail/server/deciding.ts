import { isBlank } from '#foundation/is-blank.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import type { HeldContent, HeldRow } from './held-queries.ts'
import { keepFiles, partFiles } from './mail-files.ts'
import { aboutFiles } from './mail.ts'
import type { ReadMail } from './read-mail.ts'
import { lockMail } from './received-queries.ts'

/** A member of staff who decides about a held mail. */
export type Deciding = { app: App; actor: Actor; caller: Caller; mail: HeldContent }

/** The fields of a mail that waits, as they are shown. */
export const mailFields = (row: HeldRow) => ({
  id: row.id,
  from: row.from_address,
  from_name: row.from_name,
  subject: row.subject ?? '',
  text: row.answer ?? '',
  file_names: row.file_names,
  received_at: row.received_at.toISOString(),
})

/** The files of a held mail that a message gets, and the names of those that it may not have. */
export type Filed = { attachment_ids: string[]; left_out: string[] }

/**
 * Keeps those files of a held mail that one message may have. A mail that says nothing when it is read is kept as a file, to the byte: whoever
 * decides about it ends its only other copy. Throws 413 `quota_exceeded`, upon which the mail stays held.
 */
export async function filesFor(
  app: App,
  user_id: string,
  { body }: ReadMail,
  whole: HeldContent['content'],
): Promise<Filed> {
  const files = body?.files ?? []
  const isReadable = files.length > 0 || !isBlank(body?.text.answer ?? '')
  const { fitting, others } = partFiles(isReadable ? files : [{ name: 'mail.eml', bytes: whole }])
  if (!isReadable && others.length > 0) throw new HttpError(413, [{ code: 'quota_exceeded' }])
  const attachment_ids = await keepFiles(app, user_id, fitting)
  return { attachment_ids, left_out: aboutFiles(others) }
}

/** Throws 409 `changed` where somebody else has decided by now. */
export async function lockHeld(tx: Tx, id: string): Promise<void> {
  if (!(await lockMail(tx, id, 'held'))) throw new HttpError(409, [{ code: 'changed' }])
}
