import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { publishBalance } from './publish-balance.ts'
import { processTransfers } from './transfers.ts'

export const jobs: readonly Job[] = [
  publishBalance,
  cronJob(jobKind('expire_top_ups', 'money'), 3600, processTransfers),
]
