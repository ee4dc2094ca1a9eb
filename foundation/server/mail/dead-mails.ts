import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { sendMail } from './outbox.ts'
import { isSuspended } from './deliver.ts'
import { reviveMail } from './queries.ts'

export { deadMails } from './queries.ts'

/**
 * Queues a mail that was given up once more, as if it had never been tried. Returns its kind; undefined if no such mail was given up. Throws 409
 * `mail_suspended` where it would be given up at once.
 */
export async function retryMail(app: App, tx: Tx, id: string): Promise<string | undefined> {
  const mail = await reviveMail(tx, id)
  if (mail && (await isSuspended(app, tx, mail))) throw new HttpError(409, [{ code: 'mail_suspended' }])
  if (mail) enqueue(tx, sendMail(mail.class), { id }, { key: `mail:${id}` })
  return mail?.letter
}
