import type { Tx } from '#foundation/server/database/transaction.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { sendMail } from './outbox.ts'
import { reviveMail } from './queries.ts'

export { deadMails } from './queries.ts'

/** Queues a mail that was given up once more, as if it had never been tried. Returns its kind; undefined if no such mail was given up. */
export async function retryMail(tx: Tx, id: string): Promise<string | undefined> {
  const mail = await reviveMail(tx, id)
  if (mail) await enqueue(tx, sendMail(mail.class), { id }, { key: `mail:${id}` })
  return mail?.letter
}
