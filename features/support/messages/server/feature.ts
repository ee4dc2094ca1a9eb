import type { Handler } from '#foundation/server/http/handler.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, poller, type Job } from '#foundation/server/jobs/jobs.ts'
import {
  messageRedacted,
  messageWritten,
  ticketClosesSoon,
  ticketRead,
  ticketSplit,
} from '#features/support/tickets/contract.ts'
import { haveAllRead } from '#features/support/tickets/server/tickets.ts'
import { on } from '#foundation/server/events.ts'
import * as messages from './messages.ts'
import { forgetCopies, planForgetting } from './forget-copies.ts'
import { redactMessage } from './redact-message.ts'
import { openSecret, postSecret } from './secrets.ts'
import { replyWithActs } from './reply-with-acts.ts'
import { publishTyping } from './typing.ts'
import { forgetNewTickets, forgetReplyMail, hasReplyMail } from './mail-queries.ts'
import { moveReplyMail } from './split-mails.ts'
import { tellClosed } from './closed-mail.ts'
import { mailClosing } from './closing-mail.ts'
import { mailDueReplies, mailAbout } from './mails.ts'
import { MAIL_NEW_TICKET, mailNewTicket, mailNewTickets, type NewTicketMail } from './new-ticket-mails.ts'

export const routes: readonly Handler[] = [
  messages.listMessages,
  messages.postMessage,
  messages.markRead,
  messages.postNote,
  openSecret,
  postSecret,
  redactMessage,
  replyWithActs,
  publishTyping,
]

export const jobs: readonly Job[] = [
  poller('mail_unread_replies', 2000, mailDueReplies),
  forgetCopies,
  tellClosed,
  job<NewTicketMail>(MAIL_NEW_TICKET, mailNewTicket),
  poller('mail_new_tickets', 10_000, mailNewTickets),
  cronJob(jobKind('forget_new_tickets', 'rest'), 3600, (app) => transaction(app, 'system', forgetNewTickets)),
]

export const reactions = [
  on(messageRedacted, planForgetting),
  on(messageWritten, mailAbout),
  on(ticketSplit, moveReplyMail),
  on(ticketClosesSoon, mailClosing),
  on(ticketRead, async (_app, tx, { ticket_id, seq }) => {
    // Asked first, since nearly every mark finds no mail, and "all" is looked up in all messages of the ticket.
    if (!(await hasReplyMail(tx, ticket_id, seq))) return
    // Helpers who wrote get the mail, too, so it is cancelled only once they and the customer have all read.
    if (await haveAllRead(tx, ticket_id, seq)) await forgetReplyMail(tx, ticket_id, seq)
  }),
]
