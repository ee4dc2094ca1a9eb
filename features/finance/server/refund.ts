import type { MoneyAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/finance/contract.ts'
import { isSpending } from '#features/finance/rules.ts'
import { bookRefund } from './finance.ts'
import { spentBy } from './ledger-queries.ts'
import { balancePreview, linksWith, recordBooked } from './staff.ts'

/** Answers `POST /api/staff/customers/{userId}/transactions/{id}/refund/`. */
export const refund = handler(contract.refundTransaction, (call) => {
  const { app, actor, params, body } = call
  const { userId: customer_id, id: transaction_id } = params
  return withApproval(contract.refundTransaction, call, refundAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    const spent = await spentBy(tx, customer_id, transaction_id)
    if (!spent) throw notFound()
    const left = -spent.amount - spent.given_back
    const amount = body.amount === undefined ? left : BigInt(body.amount)
    // As far as it is known already: nobody shall be asked for what cannot be.
    if (!isSpending(spent.type) || amount > left || amount <= 0n)
      throw new HttpError(409, [{ code: 'not_refundable' }])
    return { customer_id, amount, input: { transaction_id }, reason: body.reason, links }
  })
})

export const refundAct: MoneyAct<{ transaction_id: string }> = {
  permission: contract.refundPermission,
  allowances: ({ staffAlone }) => staffAlone.refund,
  async run(app, tx, { customer_id: user_id, amount, input, reason }, by) {
    const { transaction_id } = await bookRefund(app, tx, { user_id, ...input, amount, reason })
    const body = await recordBooked(tx, { by, user_id, transaction_id, act: 'finance.refunded', reason })
    return { body, result: { transaction_id } }
  },
  async preview(app, { customer_id, amount, input }) {
    const spent = await spentBy(app.db, customer_id, input.transaction_id)
    const balance = await balancePreview(app, customer_id, amount)
    return spent ? [{ code: 'refund', params: { spent: (-spent.amount).toString() } }, balance] : [balance]
  },
}
