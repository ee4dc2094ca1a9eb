import type { App } from '#foundation/server/app.ts'
import type { MoneyAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { refundPermission } from '#features/finance/contract.ts'
import {
  assertOther,
  balancePreview,
  bookedBy,
  canRefund,
  linksWith,
  lockTopUp,
  openAllocations,
  payableOf,
  type TopUpRow,
} from '#features/finance/server/finance.ts'
import * as contract from '#features/payouts/contract.ts'
import { payToSource } from './create.ts'
import { toStaffReply } from './replies.ts'

/** Answers `POST …/transactions/{id}/refund-to-source/`: gives back a payment, which is a transaction of a top-up. */
export const refundTopUp = handler(contract.refundTopUp, (call) => {
  const { app, actor, params, body } = call
  const { userId: customer_id, id: transaction_id } = params
  return withApproval(contract.refundTopUp, call, refundTopUpAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    await assertOther(tx, actor, customer_id)
    const topUp = await refundable(app, tx, customer_id, transaction_id)
    const most = await mostOf(app, tx, topUp)
    const amount = body.amount === undefined ? most : BigInt(body.amount)
    if (amount > most || amount <= 0n) throw new HttpError(409, [{ code: 'nothing_to_pay_out' }])
    return { customer_id, amount, input: { transaction_id }, reason: body.reason, links }
  })
})

export const refundTopUpAct: MoneyAct<{ transaction_id: string }> = {
  name: 'payouts.source',
  permission: refundPermission,
  allowances: ({ staffAlone }) => staffAlone.refund,
  async run(app, tx, { customer_id: user_id, amount, input, reason }, { origin, ...people }) {
    const topUp = await refundable(app, tx, user_id, input.transaction_id)
    const row = await payToSource(app, tx, { user_id, amount, topUp, requested_by: people.by, reason })
    const detail = { ...people, reference: row.reference, amount: amount.toString(), reason }
    await recordAction(tx, { user_id, act: 'payouts.requested', ...origin, detail })
    return { body: await toStaffReply(app, tx, row), result: { payout: row.public_id } }
  },
  preview: async (app, { customer_id, amount }) => [await balancePreview(app, customer_id, -amount)],
}

/**
 * Returns the top-up of a transaction of this customer, locked, if its provider can give it back. Throws 404 and 409
 * `not_refundable_to_source`, also where the key of the provider was taken out of the settings: nobody would be asked.
 */
export async function refundable(
  app: App,
  tx: Tx,
  user_id: string,
  transaction_id: string,
): Promise<TopUpRow> {
  const booked = await bookedBy(tx, user_id, transaction_id)
  if (!booked) throw notFound()
  const topUp = booked.top_up_id === null ? undefined : await lockTopUp(tx, booked.top_up_id)
  if (!topUp || booked.type !== 'fill_balance' || !canRefund(app, topUp.provider))
    throw new HttpError(409, [{ code: 'not_refundable_to_source' }])
  return topUp
}

/** Returns how much of a payment can go back to its source: what is left of it, and may leave the balance. */
export async function mostOf(app: App, tx: Tx, { id, user_id }: TopUpRow): Promise<bigint> {
  const { payable } = await payableOf(tx, { user_id, currency: app.config.currency })
  const pieces = await openAllocations(tx, id, 'fill_balance')
  const left = pieces.reduce((sum, piece) => sum + piece.left, 0n)
  return left < payable ? left : payable
}
