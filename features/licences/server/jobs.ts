import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { job, repeatedJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { RENEW_NOW } from './reactions.ts'
import { lookAtLicence, renewNow } from './renew.ts'
import { askForLook, LOOK_AT_LICENCE } from './renewal-schedule.ts'
import { overdueWatches } from './renewal-queries.ts'

export const jobs: readonly Job[] = [
  job(LOOK_AT_LICENCE, lookAtLicence),
  job(RENEW_NOW, renewNow),
  repeatedJob('sweep_licences', 300, sweepLicences),
]

const LATE_S = 600
const AT_ONCE = 500

/** The net below the jobs: a licence whose job was lost, as after a restore of the tables alone, gets another. */
async function sweepLicences(app: App): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    for (const host_id of await overdueWatches(tx, LATE_S, AT_ONCE)) await askForLook(tx, host_id)
  })
}
