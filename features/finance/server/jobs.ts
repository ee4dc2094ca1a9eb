import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { PUBLISH_BALANCE, publishBalance } from './publish-balance.ts'
import { processTransfers } from './transfers.ts'

export const jobs: readonly Job[] = [
  job(PUBLISH_BALANCE, publishBalance),
  cronJob(jobKind('expire_top_ups', 'money'), 3600, processTransfers),
]
