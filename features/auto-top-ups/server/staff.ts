import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { assertOther } from '#features/finance/server/finance.ts'
import * as contract from '#features/auto-top-ups/contract.ts'
import { pauseAutoTopUp } from './ends.ts'
import { lockWithRun } from './locks.ts'
import { autoTopUpOf } from './queries.ts'
import { autoTopUpReply } from './replies.ts'

/** Answers `GET /api/staff/customers/{userId}/auto-top-up/`. */
export const getOfCustomer = handler(contract.getCustomerAutoTopUp, async ({ app, params }) => {
  if ((await findUser(app.db, params.userId))?.kind !== 'person') throw notFound()
  return { status: 200, body: await autoTopUpReply(app, app.db, params.userId) }
})

/** Answers `POST /api/staff/customers/{userId}/auto-top-up/pause/`. */
export const pauseOfCustomer = handler(
  contract.pauseCustomerAutoTopUp,
  ({ app, actor, caller, params: { userId }, body }) =>
    transaction(app, 'system', async (tx) => {
      await assertOther(tx, actor, userId)
      await pauseByHand(app, tx, userId, body.reason)
      const detail = { staff: actor.user_id, reason: body.reason }
      await recordAction(tx, { user_id: userId, act: 'auto_top_ups.paused', ...originOf(caller), detail })
      return { status: 200, body: await autoTopUpReply(app, tx, userId) } as const
    }),
)

/** Pauses an automatic top-up; its customer reads the reason. Throws 409 `auto_top_up_not_active`. */
async function pauseByHand(app: App, tx: Tx, user_id: string, words: string): Promise<void> {
  await lockWithRun(tx, user_id)
  const row = await autoTopUpOf(tx, user_id)
  if (row?.state !== 'active') throw new HttpError(409, [{ code: 'auto_top_up_not_active' }])
  await pauseAutoTopUp(app, tx, row, 'staff', { words })
}

/** Pauses an automatic top-up for the command line, which knows no member of staff. Throws 409 `auto_top_up_not_active`. */
export async function pauseForOperator(app: App, tx: Tx, user_id: string, reason: string): Promise<void> {
  await pauseByHand(app, tx, user_id, reason)
  const detail = { by: 'command line', reason }
  await recordAction(tx, { user_id, act: 'auto_top_ups.paused', detail })
}
