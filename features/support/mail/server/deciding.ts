import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import type { HeldContent, HeldRow } from './held-queries.ts'
import { keepFiles, TooManyFiles } from './mail-files.ts'
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

/** Keeps the files of a mail; where they do not fit it is refused as a message with them would be. */
export async function filesFor(
  app: App,
  user_id: string,
  files: Parameters<typeof keepFiles>[2],
): Promise<string[]> {
  try {
    return await keepFiles(app, user_id, files)
  } catch (error) {
    throw error instanceof TooManyFiles ? new HttpError(413, [{ code: 'quota_exceeded' }]) : error
  }
}

/** Throws 409 `changed` where somebody else has decided by now. */
export async function lockHeld(tx: Tx, id: string): Promise<void> {
  if (!(await lockMail(tx, id, 'held'))) throw new HttpError(409, [{ code: 'changed' }])
}
