import { amountOf } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { MoneyAct } from '#foundation/server/approvals/approvable-act.ts'
import { doneAlone } from '#foundation/server/approvals/events.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/finance/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { isSpending } from '#features/finance/rules.ts'
import { refundOfMonths } from '#features/sales/rules.ts'
import { bookRefund } from './book-refund.ts'
import { partIn, partsOfSpending } from './parts.ts'
import { spentBy } from '#features/finance/server/finance.ts'
import { balancePreview, linksWith, recordBooked, type Done } from '#features/finance/server/finance.ts'

/** Answers `POST /api/staff/customers/{userId}/transactions/{id}/refund/`. */
export const refund = handler(sales.refundTransaction, (call) => {
  const { app, actor, params, body } = call
  const { userId: customer_id, id: transaction_id } = params
  return withApproval(sales.refundTransaction, call, refundAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    const spent = await spentBy(tx, customer_id, transaction_id)
    if (!spent) throw notFound()
    const part = body.order_id === undefined ? undefined : { order_id: body.order_id }
    const end = body.end_for_next_owner ? { end_for_next_owner: true } : {}
    const { months } = body
    if (months !== undefined && body.amount !== undefined) throw badRequest('invalid', 'months')
    const of = { user_id: customer_id, transaction_id, ...part }
    const sum = months === undefined ? body.amount : await amountOfMonths(tx, of, months)
    const named = { part, amount: sum === undefined ? undefined : BigInt(sum) }
    const all = -spent.amount - spent.given_back
    // A refund of all that is left names no part.
    const isWhole = part === undefined && named.amount === undefined
    const parts = isWhole ? [] : await partsOfSpending(tx, { user_id: customer_id, transaction_id })
    const left = partIn(parts, named, all)?.left.total ?? all
    const amount = named.amount ?? left
    // A refund that is known to be impossible is refused here, so that nobody is asked to approve it.
    if (!isSpending(spent.type) || amount > left || amount <= 0n)
      throw new HttpError(409, [{ code: 'not_refundable' }])
    return {
      customer_id,
      amount,
      input: { transaction_id, ...part, ...end, ...(months !== undefined && { months }) },
      reason: body.reason,
      links,
    }
  })
})

/** Refunds a spending for the command line, which knows no member of staff. Throws as `bookRefund` does. */
export async function refundForOperator(app: App, tx: Tx, wanted: Wanted): Promise<contract.Transaction> {
  const { user_id: customer_id, reason } = wanted
  const amount_of_months =
    wanted.months === undefined ? {} : { amount: await amountOfMonths(tx, wanted, wanted.months) }
  const booked = await book(app, tx, { ...wanted, ...amount_of_months }, { by: 'command line' })
  const amount = amountOf(booked.amount)
  if (amount > app.config.staffAlone.refund.owner)
    await emit(app, tx, doneAlone, { act: 'finance.refund', customer_id, amount, reason, by: null })
  return booked
}

type Wanted = {
  user_id: string
  transaction_id: string
  /** The order to refund, if the transaction paid several. */
  order_id?: string | undefined
  /** The amount in minor units; by default all that is left. */
  amount?: bigint | undefined
  /** The number of paid months whose price the amount is; without an amount it is computed. */
  months?: number | undefined
  reason: string
  end_for_next_owner?: boolean | undefined
}

/** Returns the price of some of the months that one server was paid for. Throws 409 `not_refundable` where no such months were paid. */
async function amountOfMonths(
  tx: Tx,
  { order_id, ...spending }: Pick<Wanted, 'user_id' | 'transaction_id' | 'order_id'>,
  count: number,
): Promise<bigint> {
  const parts = await partsOfSpending(tx, spending)
  const part =
    order_id === undefined && parts.length === 1 ? parts[0] : parts.find((one) => one.order_id === order_id)
  const amount = part && refundOfMonths(part, count)
  if (amount === undefined) throw new HttpError(409, [{ code: 'not_refundable' }])
  return amount
}

async function book(
  app: App,
  tx: Tx,
  { order_id, months, ...refund }: Wanted,
  by: Done['by'],
): Promise<contract.Transaction> {
  const part = order_id === undefined ? undefined : { order_id }
  const { transaction_id } = await bookRefund(app, tx, { ...refund, of_time: months !== undefined, part })
  const { user_id, reason } = refund
  return recordBooked(tx, { by, user_id, transaction_id, act: 'finance.refunded', reason })
}

type Input = { transaction_id: string; order_id?: string; months?: number; end_for_next_owner?: boolean }

export const refundAct: MoneyAct<Input> = {
  permission: contract.refundPermission,
  allowances: ({ staffAlone }) => staffAlone.refund,
  async run(app, tx, { customer_id: user_id, amount, input, reason }, by) {
    const body = await book(app, tx, { user_id, ...input, amount, reason }, by)
    return { body, result: { transaction_id: body.id } }
  },
  async preview(app, { customer_id, amount, input }) {
    const spent = await spentBy(app.db, customer_id, input.transaction_id)
    const balance = await balancePreview(app, customer_id, amount)
    const end = input.end_for_next_owner ? [{ code: 'ends_for_next_owner', params: {} }] : []
    return spent
      ? [{ code: 'refund', params: { spent: (-spent.amount).toString() } }, ...end, balance]
      : [balance]
  },
}
