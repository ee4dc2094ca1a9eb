import type { App } from '#foundation/server/app.ts'
import { doneAlone } from '#foundation/server/approvals/events.ts'
import type { RequestedMoney } from '#foundation/server/approvals/requested-act.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import type { MoneyAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/finance/contract.ts'
import { isPaid } from './event-queries.ts'
import { balancePreview, linksWith, recordBooked, type Done } from './staff.ts'
import { bookStaffEvent, lockTopUpOf } from './staff-top-ups.ts'
import { topUpOf, type TopUpRow } from './top-up-queries.ts'

const refused = () => new HttpError(409, [{ code: 'top_up_not_pending' }])

/** Answers `POST …/top-ups/{id}/confirm/`. */
export const confirm = handler(contract.confirmTopUp, (call) => {
  const { app, actor, params, body } = call
  const { userId: customer_id, id } = params
  return withApproval(contract.confirmTopUp, call, transferAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    const topUp = await topUpOf(tx, customer_id, id)
    if (!topUp) throw notFound()
    if (topUp.provider !== 'bank' || (await isPaid(tx, topUp.id))) throw refused()
    const amount = body.amount === undefined ? topUp.amount : BigInt(body.amount)
    return { customer_id, amount, input: { id }, reason: body.reason, links }
  })
})

/**
 * Money that has arrived is the customer's, so a transfer that was cancelled or had expired meanwhile counts all the same
 * (decision 032); the audit records its state before.
 */
export const transferAct: MoneyAct<{ id: string }> = {
  permission: contract.bankBookPermission,
  allowances: ({ staffAlone }) => staffAlone.transfer,
  async run(app, tx, asked, by) {
    const body = await bookConfirmed(app, tx, asked, by)
    return { body, result: { transaction_id: body.id } }
  },
  async preview(app, { customer_id, amount, input }) {
    const topUp = await topUpOf(app.db, customer_id, input.id)
    const balance = await balancePreview(app, customer_id, amount)
    if (!topUp) return [balance]
    const params = { reference: topUp.reference ?? '', announced: topUp.amount.toString() }
    return [{ code: 'transfer', params }, balance]
  },
}

/** Confirms a transfer for the command line, which knows no member of staff. Throws 409 `top_up_not_pending` if it was paid. */
export async function confirmForOperator(
  app: App,
  tx: Tx,
  { user_id, public_id, amount }: Pick<TopUpRow, 'user_id' | 'public_id' | 'amount'>,
  reason: string,
): Promise<void> {
  const asked = { customer_id: user_id, amount, input: { id: public_id }, reason }
  await bookConfirmed(app, tx, asked, { by: 'command line' })
  if (amount > app.config.staffAlone.transfer.owner)
    await emit(app, tx, doneAlone, { act: 'banking.book', customer_id: user_id, amount, reason, by: null })
}

async function bookConfirmed(
  app: App,
  tx: Tx,
  { customer_id: user_id, amount, input: { id }, reason }: RequestedMoney<{ id: string }>,
  by: Done['by'],
): Promise<contract.Transaction> {
  const topUp = await lockTopUpOf(tx, user_id, id)
  if (await isPaid(tx, topUp.id)) throw refused()
  const transaction_id = await bookStaffEvent(app, tx, topUp, { kind: 'paid', amount, reason })
  if (transaction_id === null) throw refused()
  const late = topUp.status === 'pending' ? {} : { was: topUp.status }
  return recordBooked(tx, { by, user_id, transaction_id, act: 'finance.confirmed', reason, ...late })
}
