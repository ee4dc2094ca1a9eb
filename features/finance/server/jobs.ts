import { transaction } from '#foundation/server/database/transaction.ts'
import { job, repeatedJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { TELL_BALANCE, tellBalance } from './balance-news.ts'
import { expireOld } from './top-up-queries.ts'

// Longer than any bank takes.
const PENDING_DAYS = 30

export const jobs: readonly Job[] = [
  job(TELL_BALANCE, tellBalance),
  repeatedJob('expire_top_ups', 3600, (app) =>
    transaction(app, 'system', (tx) => expireOld(tx, PENDING_DAYS)),
  ),
]
