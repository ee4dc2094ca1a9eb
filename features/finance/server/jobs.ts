import { job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { PUBLISH_BALANCE, publishBalance } from './publish-balance.ts'
import { processTransfers } from './transfers.ts'

export const jobs: readonly Job[] = [
  job(PUBLISH_BALANCE, publishBalance),
  cronJob('expire_top_ups', 3600, processTransfers),
]
