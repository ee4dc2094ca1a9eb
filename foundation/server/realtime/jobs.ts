import { repeatedJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { sweepEvents } from './queries.ts'

export const jobs: readonly Job[] = [repeatedJob('sweep_live_events', 600, sweepEvents)]
