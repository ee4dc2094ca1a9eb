import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, poller, type Job } from '#foundation/server/jobs/jobs.ts'
import { forgetNewTickets } from './mail-queries.ts'
import { mailDueReplies } from './mails.ts'
import { MAIL_NEW_TICKET, mailNewTicket, mailNewTickets, type NewTicketMail } from './new-ticket-mails.ts'

export const jobs: readonly Job[] = [
  poller('mail_unread_replies', 2000, mailDueReplies),
  job<NewTicketMail>(MAIL_NEW_TICKET, mailNewTicket),
  poller('mail_new_tickets', 10_000, mailNewTickets),
  cronJob(jobKind('forget_new_tickets', 'rest'), 3600, (app) => transaction(app, 'system', forgetNewTickets)),
]
