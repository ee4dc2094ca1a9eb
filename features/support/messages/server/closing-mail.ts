import type { PayloadOf } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailIdentified } from '#foundation/server/mail/outbox.ts'
import { stopKeyOf } from '#features/profile/server/profile.ts'
import { carriedReply, noteTicketMail } from '#features/support/mail/server/mail.ts'
import type { ticketClosesSoon } from '#features/support/tickets/contract.ts'
import { closingSoon } from '#features/support/tickets/server/tickets.ts'

type Closing = PayloadOf<typeof ticketClosesSoon>

/** Mails the customer that their ticket will be closed; an answer to this mail keeps it open. */
export async function mailClosing(app: App, tx: Tx, closing: Closing): Promise<void> {
  const { ticket_id, user_id, number, subject, chat_id } = closing
  const carried = await carriedReply(app, tx, { ticket_id, user_id, chat_id })
  const stop = stopKeyOf(app.keys, user_id, 'ticket_closing')
  const mail = await mailIdentified(app, tx, user_id, closingSoon, {
    number,
    subject,
    chat_id,
    answers: carried?.answers,
    stop,
  })
  await noteTicketMail(tx, { ticket_id, user_id, mail, carried, seq: undefined })
}
