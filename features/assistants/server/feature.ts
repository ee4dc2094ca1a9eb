import { userDeactivated } from '#features/profile/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { callTools } from './mcp.ts'
import { decide, list, proposalReplies } from './proposals.ts'
import { deleteOf, sweep } from './queries.ts'

export const routes: readonly Handler[] = [list, decide, callTools]

export const jobs: readonly Job[] = [
  cronJob(jobKind('sweep_proposals', 'rest'), 3600, (app) => transaction(app, 'system', sweep)),
]

export const reactions = [on(userDeactivated, (_app, tx, { user_id }) => deleteOf(tx, user_id))]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'assistants.json': async () => ({ proposals: await proposalReplies(app, user_id) }),
})
