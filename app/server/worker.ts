import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobs as backup } from '#foundation/server/backup/scheduled.ts'
import { jobs as idempotency } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { startWorker as startJobs, type Worker } from '#foundation/server/jobs/worker.ts'
import { sweepAttempts } from '#foundation/server/limits/limits.ts'
import { jobs as mail } from '#foundation/server/mail/jobs.ts'
import { jobs as realtime } from '#foundation/server/realtime/jobs.ts'
import { sweepSessions } from '#foundation/server/session/session.ts'
import { jobs as features } from './features.ts'

/** Starts to do all jobs of the product, and the jobs `more`, in this process until the worker is stopped. */
export function startWorker(app: App, more: readonly Job[] = []): Promise<Worker> {
  return startJobs(app, [...allJobs, ...more])
}

const sweepers: readonly Job[] = [
  cronJob(jobKind('sweep_sessions', 'rest'), 600, (app) =>
    transaction(app, 'system', (tx) => sweepSessions(app, tx)),
  ),
  cronJob(jobKind('sweep_attempts', 'rest'), 600, sweepAttempts),
]

/** All jobs: the work that is done apart from requests. */
export const allJobs: readonly Job[] = [
  ...mail,
  ...realtime,
  ...idempotency,
  ...backup,
  ...sweepers,
  ...features,
]
