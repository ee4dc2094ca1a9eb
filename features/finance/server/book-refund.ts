import type { App } from '#foundation/server/app.ts'
import { holdsLock } from '#foundation/server/database/lock-order.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { notFound, HttpError } from '#foundation/server/http/http-error.ts'
import { creditBegins, refundBegins, refunded, vatShareRequested } from '#features/finance/contract.ts'
import { giftOfRefund } from '#features/finance/gifts.ts'
import {
  isSpending,
  refundTypes,
  type Description,
  type RefundCause,
  type SpendingPart,
} from '#features/finance/rules.ts'
import { post, type Posted } from './ledger.ts'
import { locks } from './locks.ts'
import * as queries from './ledger-queries.ts'
import { partOfSpending } from './parts.ts'

/**
 * Refunds `amount` (minor units) of a spending, or all that is left, with the refund type of the spending, and lets the other
 * features react (`refundBegins` and `creditBegins` before the balance is locked, `vatShareRequested`, and `refunded` after). Throws 404 if the transaction
 * is not this customer's, 409 `not_refundable` if it is no spending or less than the amount is left, and the errors of
 * `partOfSpending`. The customer reads `reason`.
 */
export async function bookRefund(
  app: App,
  tx: Tx,
  refund: {
    user_id: string
    transaction_id: string
    /** The refunded part of a spending for several orders: the id of the order, or the part with the amounts that are left of it. */
    part?: { order_id: string } | SpendingPart | undefined
    amount?: bigint | undefined
    reason: string
    cause?: RefundCause
    /** True if what was paid for ends also where somebody else has it by now; by default it stays with them. */
    end_for_next_owner?: boolean | undefined
    /** The description of the transaction; by default a refund for `reason`. */
    description?: Description
  },
): Promise<Posted> {
  const { user_id, transaction_id, reason, cause = 'refund' } = refund
  const named = await queries.spentBy(tx, user_id, transaction_id)
  if (!named) throw notFound()
  const { host_id, type, currency } = named
  await emit(app, tx, refundBegins, { user_id, transaction_id, order_id: refund.part?.order_id, host_id })
  await emit(app, tx, creditBegins, { user_id, transaction_id })
  // An act with several balances has locked all of them before.
  if (!holdsLock(tx, locks.balances, user_id)) await queries.lockBalance(tx, { user_id, currency })
  // The spending is read again: the previous holder of the lock may have refunded a part.
  const spent = (await queries.spentBy(tx, user_id, transaction_id)) ?? named
  const all = -spent.amount - spent.given_back
  const part = await partOfSpending(app, tx, refund, all)
  const left = part?.left.total ?? all
  const amount = refund.amount ?? left
  if (!isSpending(type) || currency !== app.config.currency || amount > left || amount <= 0n)
    throw new HttpError(409, [{ code: 'not_refundable' }])
  const gift = giftOfRefund(queries.spendingOf(spent), amount)
  let share: { country: string; amount: bigint; net: bigint } | undefined
  const answer = (answered: typeof share): void => void (share = answered)
  await emit(app, tx, vatShareRequested, { user_id, transaction_id, amount, gift, part, answer })
  const posted = await post(app, tx, {
    type: refundTypes[type],
    user_id,
    amount,
    vat: share,
    gift,
    description: refund.description ?? refundDescription(reason, part),
    host_id: part?.host_id ?? host_id,
    reverses: transaction_id,
  })
  await emit(app, tx, refunded, {
    user_id,
    transaction_id,
    refund_transaction_id: posted.transaction_id,
    amount,
    gift,
    net: share?.net ?? amount,
    left: left - amount,
    part,
    host_id: part?.host_id ?? host_id,
    reason,
    cause,
    end_for_next_owner: refund.end_for_next_owner ?? false,
  })
  return posted
}

const refundDescription = (reason: string, part: SpendingPart | undefined): Description =>
  part
    ? { code: 'refund_of_host', params: { host: part.host, reason } }
    : { code: 'refund', params: { reason } }
