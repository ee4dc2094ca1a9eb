import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { removeLeftovers, sweepAttachments } from './sweeping.ts'

export const jobs: readonly Job[] = [
  cronJob('remove_leftover_files', 60, removeLeftovers),
  cronJob('sweep_attachments', 3600, (app) => sweepAttachments(app)),
]
