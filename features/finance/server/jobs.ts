import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { closeMonths } from './closings.ts'
import { publishBalance } from './publish-balance.ts'
import { processTransfers } from './transfers.ts'

export const jobs: readonly Job[] = [
  publishBalance,
  cronJob(jobKind('expire_top_ups', 'money'), 3600, processTransfers),
  // The job runs hourly, so that a month is closed soon after 48 hours, or as soon as the installation runs again.
  cronJob(jobKind('close_ledger_months', 'rest'), 3600, async (app) => void (await closeMonths(app))),
]
