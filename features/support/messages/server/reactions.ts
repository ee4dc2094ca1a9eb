import { messageWritten, ticketRead } from '#features/support/tickets/contract.ts'
import { haveAllRead } from '#features/support/tickets/server/tickets.ts'
import { on } from '#foundation/server/events.ts'
import { forgetReplyMail } from './mail-queries.ts'
import { mailAbout } from './mails.ts'

export const reactions = [
  on(messageWritten, mailAbout),
  on(ticketRead, async (_app, tx, { ticket_id, seq }) => {
    // Helpers who wrote get the mail, too, so it is cancelled only once they and the customer have all read.
    if (await haveAllRead(tx, ticket_id, seq)) await forgetReplyMail(tx, ticket_id, seq)
  }),
]
