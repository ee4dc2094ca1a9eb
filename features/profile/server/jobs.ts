import { transaction } from '#foundation/server/database/transaction.ts'
import { repeatedJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { sweepKeys } from './claim-queries.ts'
import { sweepClaims } from './claims.ts'

export const jobs: readonly Job[] = [
  repeatedJob('sweep_verification_keys', 3600, (app) => transaction(app, 'system', sweepKeys)),
  repeatedJob('sweep_unproven_claims', 600, sweepClaims),
]
