import { addressChanged, userDeactivated } from '#features/profile/contract.ts'
import { on } from '#foundation/server/events.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, job, poller, type Job } from '#foundation/server/jobs/jobs.ts'
import { messageRedacted } from '#features/support/tickets/contract.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { mailRefused } from '#foundation/server/mail/refused.ts'
import { endAddressesOf, eraseMailsOf, mailsFrom } from './address-queries.ts'
import { listBlockedSenders, unblockSender } from './blocked.ts'
import { decideHeldMail, listHeldMails } from './held.ts'
import { closeMailbox, watchMailbox } from './mailbox.ts'
import { redactMail } from './held-queries.ts'
import { postMail } from './post.ts'
import { POST_MAIL, sweepReceived } from './receive.ts'
import { markRefused } from './return-queries.ts'
import { endSuspensionsOfOthers, suspend } from './returns.ts'
import * as mails from './ticket-mails.ts'

export const routes: readonly Handler[] = [
  listHeldMails,
  decideHeldMail,
  listBlockedSenders,
  unblockSender,
  mails.getTicketMails,
  mails.getWholeMail,
  mails.decideAnswerOfOther,
  mails.listSuspended,
  mails.retryAddress,
]

export const jobs: readonly Job[] = [
  job(POST_MAIL, postMail),
  { ...poller('watch_mailbox', 1000, watchMailbox), ended: closeMailbox },
  cronJob(jobKind('sweep_received_mails', 'rest'), 120, sweepReceived),
]

export const reactions = [
  on(addressChanged, async (_app, tx, { user_id, change }) => {
    if (change === 'primary') await endAddressesOf(tx, user_id)
    if (change !== 'added') await endSuspensionsOfOthers(tx, user_id)
  }),
  on(userDeactivated, (_app, tx, { user_id }) => eraseMailsOf(tx, user_id)),
  on(messageRedacted, (_app, tx, { ticket_id, seq }) => redactMail(tx, ticket_id, seq)),
  on(mailRefused, async (_app, tx, { mail_id, user_id, to_address, reason }) => {
    await markRefused(tx, mail_id, reason)
    if (user_id !== null) await suspend(tx, { user_id, email: to_address, reason })
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'received-mails.json': () => mailsFrom(app.db, user_id),
})
