import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import * as events from '#features/auto-top-ups/event-contract.ts'
import { chargeRun, sweepRuns } from './charge.ts'
import * as choice from './choice.ts'
import { autoTopUpReply } from './replies.ts'
import * as runs from './runs.ts'
import { pageOfRuns } from './runs.ts'
import * as staff from './staff.ts'

export { reactions } from './reactions.ts'

export const routes: readonly Handler[] = [
  choice.get,
  choice.put,
  choice.end,
  runs.list,
  runs.get,
  runs.allow,
  staff.getOfCustomer,
  staff.pauseOfCustomer,
]

export const published = Object.values(events)

export const jobs: readonly Job[] = [
  chargeRun,
  cronJob(jobKind('sweep_auto_top_ups', 'money'), 3600, sweepRuns),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'auto-top-up.json': async () => [await autoTopUpReply(app, app.db, user_id)],
  'auto-top-up-runs.json': () => everyItem((cursor) => pageOfRuns(app, user_id, { limit: 100, cursor })),
})
