import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { sweepInvitations } from './queries.ts'

export const jobs: readonly Job[] = [
  cronJob(jobKind('sweep_invitations', 'rest'), 86_400, (app) =>
    transaction(app, 'system', sweepInvitations),
  ),
]
