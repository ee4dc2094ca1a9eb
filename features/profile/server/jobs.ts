import { transaction } from '#foundation/server/database/transaction.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { sweepKeys } from './claim-queries.ts'
import { sweepClaims } from './claims.ts'

export const jobs: readonly Job[] = [
  cronJob('sweep_verification_keys', 3600, (app) => transaction(app, 'system', sweepKeys)),
  cronJob('sweep_unproven_claims', 600, sweepClaims),
]
