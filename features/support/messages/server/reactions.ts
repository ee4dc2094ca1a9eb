import { messageWritten, ticketRead } from '#features/support/tickets/contract.ts'
import { on } from '#foundation/server/events.ts'
import { forgetReplyMail } from './mail-queries.ts'
import { mailAbout } from './mails.ts'

export const reactions = [
  on(messageWritten, mailAbout),
  on(ticketRead, (_app, tx, { ticket_id, seq }) => forgetReplyMail(tx, ticket_id, seq)),
]
