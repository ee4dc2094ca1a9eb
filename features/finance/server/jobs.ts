import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { closeMonths } from './closings.ts'
import { publishBalance } from './publish-balance.ts'
import { processTransfers } from './transfers.ts'
import { splitPastVat } from './vat-split.ts'

export const jobs: readonly Job[] = [
  publishBalance,
  cronJob(jobKind('expire_top_ups', 'money'), 3600, processTransfers),
  // Asks hourly, so that a month is closed soon after its 48 hours whenever the installation runs.
  cronJob(jobKind('close_ledger_months', 'rest'), 3600, async (app) => void (await closeMonths(app))),
  // The job runs again and again for the sake of a rolling upgrade: the release before books VAT as revenue until its last
  // process ends.
  cronJob(jobKind('split_past_vat', 'rest'), 3600, async (app) => void (await splitPastVat(app))),
]
