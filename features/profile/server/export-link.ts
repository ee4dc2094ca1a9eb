import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { hashToken, randomToken } from '#foundation/server/keys.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import type { UserRow } from '#foundation/server/session/session.ts'
import * as contract from '#features/profile/contract.ts'
import { sendFiles } from './download-data.ts'
import * as queries from './export-queries.ts'
import { dataExportReady } from './mails.ts'
import { personalFiles } from './personal-files.ts'
import { addressesOf } from './queries.ts'

/**
 * Mails an account's primary address a link to all data of the account. Throws 409 `no_proven_address` if the address is not
 * proven: its mailbox may belong to somebody else, who would get the data (rule 36).
 */
export async function mailExportLink(
  app: App,
  tx: Tx,
  { id: user_id, locale }: UserRow,
): Promise<{ email: string; expires_at: Date }> {
  const primary = (await addressesOf(tx, user_id)).find(({ is_primary }) => is_primary)
  if (!primary?.verified) throw new HttpError(409, [{ code: 'no_proven_address' }])
  const key = randomToken()
  const expires_at = await queries.insertExport(tx, { user_id, token_hash: hashToken(key) })
  const { email } = primary
  const values = { key, expires_at }
  await enqueueMail(app, tx, { user_id, to: email, locale, template: dataExportReady, values })
  return { email, expires_at }
}

/** Answers `POST /api/data-export/`. The files are made at this moment, so that no copy is kept that others could read. */
export const downloadExport = handler(contract.downloadExport, async ({ app, caller, body, reply }) => {
  const files = await transaction(app, 'system', async (tx) => {
    const user_id = await queries.exportByKey(tx, hashToken(body.key))
    if (user_id === undefined) throw badRequest('invalid_or_expired_key', 'key')
    const detail = { by_link: true }
    await recordAction(tx, { user_id, act: 'account.data_downloaded', ...originOf(caller), detail })
    return personalFiles(app, tx, user_id)
  })
  sendFiles(reply, files)
  return null
})
