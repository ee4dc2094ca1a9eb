import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { expireInvitations } from './ending-queries.ts'

export const jobs: readonly Job[] = [
  cronJob(jobKind('expire_helper_invitations', 'rest'), 3600, (app) =>
    transaction(app, 'system', expireInvitations),
  ),
]
