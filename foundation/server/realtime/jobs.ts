import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { sweepEvents } from './queries.ts'

export const jobs: readonly Job[] = [cronJob('sweep_live_events', 600, sweepEvents)]
