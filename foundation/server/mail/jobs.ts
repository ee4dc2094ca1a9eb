import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { deliver, lease_s, pauses_s, sendNow } from './deliver.ts'
import { sendMail } from './outbox.ts'
import { forgetOldMails, overdueMails } from './queries.ts'
import { probeServer, shortenPauses } from './waiting-queries.ts'

export const jobs: readonly Job[] = [
  job(sendMail('rest'), deliver),
  // The job has the class `security`, because it also finds lost mails of that class.
  cronJob(jobKind('sweep_mails', 'security'), 60, sweepMails),
]

/**
 * Gives a new job to each mail whose job was lost or is due too late, asks with one mail if a mail server that was away is back, and deletes
 * old mails.
 */
async function sweepMails(app: App): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    await sendNow(tx, await shortenPauses(tx, { pauses_s, lease_s }))
    await sendNow(tx, await overdueMails(tx))
    await sendNow(tx, await probeServer(tx))
    await forgetOldMails(tx)
  })
}
