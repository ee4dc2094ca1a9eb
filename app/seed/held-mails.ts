import { createHash } from 'node:crypto'
import { decide, storeMail } from '#features/support/mail/server/received-queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import { anna, mikhail } from './people.ts'
import type { Ids } from './ticket-events.ts'

/** Adds two mails that wait for a decision of staff. */
export async function seedHeldMails(tx: Tx, ids: Ids): Promise<void> {
  for (const { who, reason, from, name, subject, text } of mails) {
    const content = Buffer.from(`From: ${name} <${from}>\r\nSubject: ${subject}\r\n\r\n${text}\r\n`)
    const digest = createHash('sha256').update(content).digest()
    const id = must(await storeMail(tx, { digest, way: 'imap', recipient: null, content }))
    const about = {
      from_address: from,
      from_name: name,
      subject,
      whole_text: text,
      answer: text,
      file_names: [],
    }
    await decide(tx, id, about, { state: 'held', reason, user_id: ids[who] })
  }
}

const mails = [
  {
    who: 'anna',
    reason: 'unknown_address',
    from: anna.email,
    name: 'Anna Berg',
    subject: 'Re: Backups of the shop',
    text: 'I found this in an old email: can we still move the backups to 3 a.m.?',
  },
  {
    who: 'mikhail',
    reason: 'forged',
    from: mikhail.email,
    name: 'Михаил',
    subject: 'Re: Счёт за ноябрь',
    text: 'Пришлите, пожалуйста, счёт ещё раз на новый адрес.',
  },
] as const
