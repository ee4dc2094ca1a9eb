import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { sweepEvents } from './queries.ts'

export const jobs: readonly Job[] = [cronJob(jobKind('sweep_account_events', 'rest'), 3600, sweepEvents)]
