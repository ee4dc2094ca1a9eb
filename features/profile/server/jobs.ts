import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { sweepKeys } from './claim-queries.ts'
import { sweepClaims } from './claims.ts'
import { sweepExports } from './export-queries.ts'

export const jobs: readonly Job[] = [
  cronJob(jobKind('sweep_verification_keys', 'rest'), 3600, (app) => transaction(app, 'system', sweepKeys)),
  cronJob(jobKind('sweep_unproven_claims', 'rest'), 600, sweepClaims),
  cronJob(jobKind('sweep_data_exports', 'rest'), 86_400, (app) => transaction(app, 'system', sweepExports)),
]
