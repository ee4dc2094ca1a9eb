import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { forgetOldOrigins } from './queries.ts'

const DAILY_S = 86_400

export const jobs: readonly Job[] = [cronJob(jobKind('forget_old_origins', 'rest'), DAILY_S, forgetOrigins)]

/** Removes addresses and browsers from audit entries after 400 days, a few thousand rows per transaction. */
export async function forgetOrigins(app: App): Promise<void> {
  while ((await transaction(app, 'system', forgetOldOrigins)) > 0);
}
