import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { enqueue, job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { deliver } from './deliver.ts'
import { SEND_MAIL } from './outbox.ts'
import { forgetOldMails, overdueMails } from './queries.ts'

export const jobs: readonly Job[] = [job(SEND_MAIL, deliver), cronJob('sweep_mails', 60, sweepMails)]

/** The net below the jobs: a mail whose job was lost gets another; old ones are forgotten. */
async function sweepMails(app: App): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    for (const id of await overdueMails(tx)) await enqueue(tx, SEND_MAIL, { id }, { key: `mail:${id}` })
    await forgetOldMails(tx)
  })
}
