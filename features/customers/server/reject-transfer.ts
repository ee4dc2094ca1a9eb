import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as finance from '#features/finance/server/finance.ts'
import * as contract from '#features/customers/contract.ts'

/** Answers `POST …/top-ups/{id}/rejection/`. */
export const rejectTransfer = handler(contract.rejectTransfer, ({ app, actor, caller, params, body }) => {
  const { userId: user_id, id } = params
  const { reason } = body
  return transaction(app, 'system', async (tx) => {
    await finance.assertOther(tx, actor, user_id)
    const rejected = await finance.rejectTransfer(app, tx, { user_id, id, reason })
    const detail = { by: actor.user_id, top_up: id, reason }
    await recordAction(tx, { user_id, act: 'finance.rejected', ...originOf(caller), detail })
    return { status: 200, body: rejected } as const
  })
})
