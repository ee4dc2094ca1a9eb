import type { Tx } from '#foundation/server/database/transaction.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { sendMail } from './outbox.ts'
import { reviveMail } from './queries.ts'

export { deadMails } from './queries.ts'

/** Sends a mail that was given up once more, with all its attempts; answers its kind, undefined where no such mail was given up. */
export async function retryMail(tx: Tx, id: string): Promise<string | undefined> {
  const mail = await reviveMail(tx, id)
  if (mail) await enqueue(tx, sendMail(mail.class), { id }, { key: `mail:${id}` })
  return mail?.letter
}
