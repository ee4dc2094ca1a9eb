import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue, job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { deliver } from './deliver.ts'
import { sendMail } from './outbox.ts'
import { forgetOldMails, overdueMails } from './queries.ts'

export const jobs: readonly Job[] = [
  job(sendMail('rest'), deliver),
  // Finds mails of security again, too.
  cronJob(jobKind('sweep_mails', 'security'), 60, sweepMails),
]

/** The net below the jobs: a mail whose job was lost gets another; old ones are forgotten. */
async function sweepMails(app: App): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    for (const { id, class: its } of await overdueMails(tx))
      await enqueue(tx, sendMail(its), { id }, { key: `mail:${id}` })
    await forgetOldMails(tx)
  })
}
