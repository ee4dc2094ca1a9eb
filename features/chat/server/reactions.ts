import { userDeactivated } from '#features/profile/contract.ts'
import { attaching, messageWritten, ticketRead } from '#features/tickets/contract.ts'
import { on } from '#foundation/server/events.ts'
import { attach } from './attach.ts'
import { forgetReplyMail } from './mail-queries.ts'
import { mailAbout } from './mails.ts'
import { deleteAttachmentsOf } from './queries.ts'

export const reactions = [
  on(attaching, attach),
  on(messageWritten, mailAbout),
  on(ticketRead, (_app, tx, { ticket_id, seq }) => forgetReplyMail(tx, ticket_id, seq)),
  on(userDeactivated, (_app, tx, { user_id }) => deleteAttachmentsOf(tx, user_id)),
]
