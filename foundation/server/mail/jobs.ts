import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue, job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { deliver } from './deliver.ts'
import { sendMail } from './outbox.ts'
import { forgetOldMails, overdueMails } from './queries.ts'

export const jobs: readonly Job[] = [
  job(sendMail('rest'), deliver),
  // The job has the class `security`, because it also finds lost mails of that class.
  cronJob(jobKind('sweep_mails', 'security'), 60, sweepMails),
]

/** Gives a new job to each mail whose job was lost, and deletes old mails. */
async function sweepMails(app: App): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    for (const { id, class: its } of await overdueMails(tx))
      await enqueue(tx, sendMail(its), { id }, { key: `mail:${id}` })
    await forgetOldMails(tx)
  })
}
