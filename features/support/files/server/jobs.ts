import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { removeLeftovers, sweepAttachments } from './sweeping.ts'

export const jobs: readonly Job[] = [
  cronJob(jobKind('remove_leftover_files', 'rest'), 60, removeLeftovers),
  cronJob(jobKind('sweep_attachments', 'rest'), 3600, (app) => sweepAttachments(app)),
]
