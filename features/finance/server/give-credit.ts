import type { MoneyAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/finance/contract.ts'
import { assertBelowCap } from './balance-cap.ts'
import { credit } from './credit.ts'
import { balancePreview, linksWith, recordBooked } from './staff.ts'

/** Answers `POST /api/staff/customers/{userId}/credits/`. */
export const giveCredit = handler(contract.giveCredit, (call) => {
  const { app, actor, params, body } = call
  const { userId: customer_id } = params
  return withApproval(contract.giveCredit, call, creditAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    const amount = BigInt(body.amount)
    await assertBelowCap(app, tx, customer_id, amount, 'amount')
    return { customer_id, amount, input: {}, reason: body.reason, links }
  })
})

export const creditAct: MoneyAct<object> = {
  permission: contract.creditPermission,
  allowances: ({ staffAlone }) => staffAlone.credit,
  async run(app, tx, { customer_id: user_id, amount, reason }, by) {
    // The check is made once more: between asking and approving other money may have come.
    await assertBelowCap(app, tx, user_id, amount, 'amount')
    const { transaction_id } = await credit(app, tx, { user_id, amount, reason })
    const act = 'finance.credit_given'
    const body = await recordBooked(tx, { by, user_id, transaction_id, act, reason })
    return { body, result: { transaction_id } }
  },
  preview: async (app, { customer_id, amount }) => [await balancePreview(app, customer_id, amount)],
}
