import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, job, type Job } from '#foundation/server/jobs/jobs.ts'
import { FACTOR_RESET, stepFactorReset, sweepFactorResets } from './factor-resets.ts'

export const jobs: readonly Job[] = [
  job(FACTOR_RESET, stepFactorReset),
  cronJob(jobKind('sweep_factor_resets', 'security'), 60, sweepFactorResets),
]
