import type { App } from '#foundation/server/app.ts'
import type { MoneyAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { must } from '#foundation/must.ts'
import * as contract from '#features/finance/contract.ts'
import { bookedBy, openAllocations, type Booked } from './allocation-queries.ts'
import { lockBalance } from './ledger-queries.ts'
import { post, type Posted } from './ledger.ts'
import { bookingCorrected, chargeBackUndone, notifyCustomer } from './mails.ts'
import { balancePreview, linksWith, recordBooked } from './staff.ts'
import { lockTopUp, setStatus } from './top-up-queries.ts'

const notCorrectable = () => new HttpError(409, [{ code: 'not_correctable' }])

/** Answers `POST …/transactions/{id}/correction/`: undoes a booking that staff made by hand. */
export const correct = handler(contract.correctTransaction, (call) => {
  const { app, actor, params, body } = call
  const { userId: customer_id, id: transaction_id } = params
  return withApproval(contract.correctTransaction, call, correctAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    const { left } = await assertByHand(tx, customer_id, transaction_id)
    return { customer_id, amount: left, input: { transaction_id }, reason: body.reason, links }
  })
})

/** A correction takes money from a customer or gives it without a bank's word, so above an allowance a second person confirms it. */
export const correctAct: MoneyAct<{ transaction_id: string }> = {
  name: 'finance.correct',
  permission: contract.chargeBackPermission,
  allowances: ({ staffAlone }) => staffAlone.transfer,
  async run(app, tx, { customer_id: user_id, input: { transaction_id }, amount, reason }, by) {
    await assertByHand(tx, user_id, transaction_id)
    const posted = await correctBooking(app, tx, { user_id, transaction_id, amount, reason })
    const done = {
      by,
      user_id,
      transaction_id: posted.transaction_id,
      act: 'finance.corrected',
      reason,
    } as const
    const body = await recordBooked(tx, done)
    return { body, result: { transaction_id: posted.transaction_id } }
  },
  async preview(app, { customer_id, amount, input }) {
    const booked = await bookedBy(app.db, customer_id, input.transaction_id)
    return [await balancePreview(app, customer_id, booked?.type === 'fill_balance' ? -amount : amount)]
  },
}

/** Throws 404 for another customer's transaction, and 409 `not_correctable` if no member of staff booked it by hand, or it was undone. */
async function assertByHand(tx: Tx, user_id: string, transaction_id: string): Promise<Booked> {
  const booked = await bookedBy(tx, user_id, transaction_id)
  if (!booked) throw notFound()
  if (booked.left === 0n || !(booked.is_pay_out || booked.event_id?.startsWith('staff:')))
    throw notCorrectable()
  return booked
}

/**
 * Undoes `amount` of a booking that was a mistake, with words of its own: money that was booked to the wrong customer is taken back, money
 * that was taken back or paid out is given again. Throws 409 `nothing_to_charge_back` if less than the amount is left of the booking.
 */
export async function correctBooking(
  app: App,
  tx: Tx,
  {
    user_id,
    transaction_id,
    amount,
    reason,
  }: { user_id: string; transaction_id: string; amount: bigint; reason: string },
): Promise<Posted> {
  const { top_up_id } = must(await bookedBy(tx, user_id, transaction_id))
  // The order of locks of payment events: the top-up, then the balance.
  if (top_up_id !== null) await lockTopUp(tx, top_up_id)
  await lockBalance(tx, { user_id, currency: app.config.currency })
  const { type, left, provider } = must(await bookedBy(tx, user_id, transaction_id))
  if (left < amount) throw new HttpError(409, [{ code: 'nothing_to_charge_back' }])
  const isPayment = type === 'fill_balance'
  const posted = await post(app, tx, {
    type: isPayment ? 'charge_back' : 'fill_balance',
    user_id,
    amount,
    provider,
    description: { code: isPayment ? 'correction' : 'charge_back_undone', params: { reason } },
    reverses: transaction_id,
  })
  if (top_up_id !== null) {
    const rest = await openAllocations(tx, top_up_id, 'fill_balance')
    await setStatus(tx, top_up_id, rest.length > 0 ? 'paid' : 'corrected')
  }
  const mail = isPayment ? bookingCorrected : chargeBackUndone
  await notifyCustomer(app, tx, user_id, mail, { amount, balance: posted.balance_after })
  return posted
}
