import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { job, cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { DEBT_STEP, PUBLISH_SUSPENSIONS, publishSuspensions, runDebtStep, sweepDebts } from './debts.ts'
import { mailPriceRise, PRICE_RISE } from './price-rise.ts'
import { sweepMachines } from './machine-queries.ts'
import { dropRevocations } from './revocation-queries.ts'
import { enqueueRenewalStep } from './renewal-schedule.ts'
import { overdueSchedules } from './renewal-queries.ts'

const DAY_S = 86_400

export const jobs: readonly Job[] = [
  job(PRICE_RISE, mailPriceRise),
  job(DEBT_STEP, runDebtStep),
  job(PUBLISH_SUSPENSIONS, publishSuspensions),
  cronJob(jobKind('sweep_debts', 'money'), 300, sweepDebts),
  cronJob(jobKind('sweep_licences', 'money'), 300, sweepLicences),
  cronJob(jobKind('sweep_machines', 'rest'), DAY_S, (app) => transaction(app, 'system', sweepMachines)),
  cronJob(jobKind('drop_revocations', 'rest'), DAY_S, (app) => transaction(app, 'system', dropRevocations)),
]

const LATE_S = 600
const AT_ONCE = 500

/** A safety net below the jobs: a licence whose job was lost, as after a restore without the table of jobs, gets another job. */
async function sweepLicences(app: App): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    for (const host_id of await overdueSchedules(tx, LATE_S, AT_ONCE)) await enqueueRenewalStep(tx, host_id)
  })
}
