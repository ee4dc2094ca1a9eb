import { job, repeatedJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { TELL_BALANCE, tellBalance } from './publish-balance.ts'
import { tendTransfers } from './transfers.ts'

export const jobs: readonly Job[] = [
  job(TELL_BALANCE, tellBalance),
  repeatedJob('expire_top_ups', 3600, tendTransfers),
]
