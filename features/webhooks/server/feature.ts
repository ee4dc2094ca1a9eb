import { settleReading } from '#foundation/server/account-events/account-events.ts'
import { on } from '#foundation/server/events.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { poller, type Job } from '#foundation/server/jobs/jobs.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { webhookTested } from '#features/webhooks/contract.ts'
import { attemptsOf } from './attempt-queries.ts'
import { deliverDue, endDeliveries } from './deliver.ts'
import { forgetErased, planForgetting } from './forget-erased.ts'
import * as operator from './operator.ts'
import * as own from './own.ts'
import { deleteEndpointsOf, endpointsOf } from './queries.ts'
import { attemptReplies, endpointReplies } from './replies.ts'

export { sealed } from './secrets.ts'

export const published = [webhookTested]

export const routes: readonly Handler[] = [
  own.list,
  own.create,
  own.get,
  own.change,
  own.remove,
  own.secret,
  own.attempts,
  own.test,
  own.again,
  own.replay,
  operator.list,
  operator.create,
  operator.get,
  operator.change,
  operator.remove,
  operator.secret,
  operator.attempts,
  operator.test,
  operator.again,
  operator.replay,
]

export const jobs: readonly Job[] = [
  { ...poller('send_webhooks', 500, deliverDue), ended: endDeliveries },
  forgetErased,
]

export const reactions = [
  on(userDeactivated, async (_app, tx, { user_id }) => {
    planForgetting(tx)
    if (await deleteEndpointsOf(tx, user_id)) await settleReading(tx, user_id, async () => false)
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'webhooks.json': async () => {
    const rows = await endpointsOf(app.db, user_id)
    const replies = await endpointReplies(app.db, user_id, rows)
    return Promise.all(
      replies.map(async (reply) => ({
        ...reply,
        attempts: await attemptReplies(app.db, user_id, await attemptsOf(app.db, reply.id)),
      })),
    )
  },
})
