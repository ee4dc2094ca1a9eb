import { repeatedJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { mailJobs } from './mails.ts'
import { removeLeftovers, sweepAttachments } from './sweeping.ts'

export const jobs: readonly Job[] = [
  ...mailJobs,
  repeatedJob('remove_leftover_files', 60, removeLeftovers),
  repeatedJob('sweep_attachments', 3600, (app) => sweepAttachments(app)),
]
