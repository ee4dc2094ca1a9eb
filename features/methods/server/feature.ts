import type { Handler } from '#foundation/server/http/handler.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import * as events from '#features/methods/event-contract.ts'
import { forgetMethod, removeAll, takeChargeEnd, takeReport } from './changes.ts'
import { warnOfEnds } from './ending.ts'
import * as methods from './methods.ts'
import { methodsOf, sweepMethods } from './queries.ts'
import { toMethodReply } from './replies.ts'

export { sealed } from './references.ts'

export const routes: readonly Handler[] = [methods.list, methods.save, methods.setDefault, methods.remove]

const KEPT_DAYS = 3
const AT_ONCE = 500

export const published = Object.values(events)

export const jobs: readonly Job[] = [
  forgetMethod,
  cronJob(jobKind('sweep_payment_methods', 'rest'), 86_400, async (app) => {
    while ((await transaction(app, 'system', (tx) => sweepMethods(tx, KEPT_DAYS, AT_ONCE))) === AT_ONCE);
  }),
  cronJob(jobKind('warn_of_method_ends', 'money'), 3600, warnOfEnds),
]

export const reactions = [takeReport, takeChargeEnd, removeAll]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'payment-methods.json': async () => (await methodsOf(app.db, user_id)).map(toMethodReply),
})
