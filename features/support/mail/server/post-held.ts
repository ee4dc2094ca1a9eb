import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { must } from '#foundation/must.ts'
import { chatIdOf } from '#features/support/tickets/server/tickets.ts'
import { addressWith } from './address-queries.ts'
import { filesFor, lockHeld, type Deciding } from './deciding.ts'
import * as queries from './held-queries.ts'
import { aboutMail } from './mail.ts'
import { publishHeld } from './publish-held.ts'
import { readMail } from './read-mail.ts'
import { openByMail, writeByMail, writerFor } from './write-by-mail.ts'

/**
 * Posts a held mail of a customer in the customer's name, as staff decide: in the ticket that it was written to, or in a new one. Returns the id
 * of the ticket.
 */
export async function postHeld({ app, actor, caller, mail }: Deciding): Promise<string> {
  const { id, digest, reason, address_id } = mail
  const user_id = must(mail.user_id)
  const address =
    address_id !== null && reason !== 'ticket_closed' ? await addressWith(app.db, address_id) : undefined
  const writer = await writerFor(app, address ? { do: 'answer', address } : { do: 'open', user_id })
  if ('reason' in writer) throw new HttpError(409, [{ code: 'mail_not_postable' }])
  const read = await readMail(app, mail.content)
  const filed = await filesFor(app, writer.person_id, read, mail.content)
  const written = { mail: { id, digest, about: aboutMail(read), read }, ...filed, writer }
  return transaction(writer.app, 'system', async (tx) => {
    await lockHeld(tx, id)
    const place = address ? await writeByMail(tx, address.chat_id, written) : await openByMail(tx, written)
    await queries.endHeld(tx, id, { state: 'posted', by: actor.user_id, ...place })
    const chat_id = await chatIdOf(tx, place.ticket_id)
    const detail = { by: actor.user_id, chat_id }
    await recordAction(tx, { user_id, act: 'mail.posted', ...originOf(caller), detail })
    await publishHeld(tx, { user_id })
    return chat_id
  })
}
