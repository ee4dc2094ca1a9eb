import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { expireOffers } from './ending-queries.ts'

export const jobs: readonly Job[] = [
  cronJob(jobKind('expire_payment_offers', 'rest'), 3600, (app) => transaction(app, 'system', expireOffers)),
]
