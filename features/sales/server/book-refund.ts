import type { App } from '#foundation/server/app.ts'
import { holdsLock } from '#foundation/server/database/lock-order.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { notFound, HttpError } from '#foundation/server/http/http-error.ts'
import {
  isSpending,
  refundTypes,
  type Description,
  type RefundCause,
  type SpendingPart,
} from '#features/finance/rules.ts'
import {
  giftOfRefund,
  linkInvoice,
  lockBalance,
  locks,
  post,
  spendingOf,
  spentBy,
  type Posted,
} from '#features/finance/server/finance.ts'
import { announceHost, lockHostsById, type HostRow } from '#features/hosts/server/hosts.ts'
import { creditNote, creditOf, lockCredited } from '#features/invoices/server/invoices.ts'
import { insertRefund } from '#features/legal/server/legal.ts'
import {
  endRefunded,
  lowerValue,
  ordersPaidBy,
  type OrderOfPayment,
} from '#features/licences/server/licences.ts'
import { mailEnded } from './refund-mails.ts'
import { partIn, partsOf } from './parts.ts'

/** A refund of `amount` (minor units) of a spending, or of all that is left. The customer reads `reason`. */
type Refund = {
  user_id: string
  transaction_id: string
  /** The refunded part of a spending for several orders: the id of the order, or the part with the amounts that are left of it. */
  part?: { order_id: string } | SpendingPart | undefined
  amount?: bigint | undefined
  /** True for the price of months: fees and one-offs stay paid, and the licence ends once nothing is left of what was paid for its time. */
  of_time?: boolean | undefined
  reason: string
  cause?: RefundCause
  /** True if what was paid for ends also where somebody else has it by now; by default it stays with them. */
  end_for_next_owner?: boolean | undefined
  /** The description of the transaction; by default a refund for `reason`. */
  description?: Description
}

/**
 * Refunds a spending with the refund type of the spending, in one transaction: the ledger, the credit note, and the paid time. Throws 404
 * if the transaction is not this customer's, 409 `not_refundable` if it is no spending or less than the amount is left, and the errors of
 * `partIn`.
 */
export async function bookRefund(app: App, tx: Tx, refund: Refund): Promise<Posted> {
  const { user_id, transaction_id, reason, cause = 'refund', of_time = false } = refund
  // Rule 9: the servers, the invoice that is credited, the balance. An upgrade has locked all of its own before.
  const hosts = await lockServers(tx, transaction_id, refund.part?.order_id)
  const credited = await lockCredited(tx, { user_id, transaction_id })
  if (!holdsLock(tx, locks.balances, user_id))
    await lockBalance(tx, { user_id, currency: app.config.currency })

  const spent = await spentBy(tx, user_id, transaction_id)
  if (!spent) throw notFound()
  const { host_id, type, currency } = spent
  const paid = await ordersPaidBy(tx, transaction_id)
  const all = -spent.amount - spent.given_back
  const isDivided = paid.length > 1 || refund.part !== undefined || of_time
  const parts = isDivided ? await partsOf(tx, paid, credited?.price) : []
  const part = partIn(parts, refund, all)
  const left = part?.left.total ?? all
  const amount = refund.amount ?? left
  if (!isSpending(type) || currency !== app.config.currency || amount > left || amount <= 0n)
    throw new HttpError(409, [{ code: 'not_refundable' }])

  const gift = giftOfRefund(spendingOf(spent), amount)
  const credit = credited && creditOf(credited, { amount, gift, part })
  const posted = await post(app, tx, {
    type: refundTypes[type],
    user_id,
    amount,
    vat: credit && { country: credit.country, amount: credit.paid.money.vat },
    gift,
    description: refund.description ?? refundDescription(reason, part),
    host_id: part?.host_id ?? host_id,
    reverses: transaction_id,
  })

  const refund_transaction_id = posted.transaction_id
  if (credited && credit) {
    const said = { transaction_id: refund_transaction_id, part, reason, cause }
    const { public_id: invoice_id } = await creditNote(app, tx, credited, credit, said)
    await linkInvoice(tx, { user_id, transaction_id: refund_transaction_id, invoice_id })
  }
  await insertRefund(tx, { transaction_id, order_id: part?.order_id ?? null, refund_transaction_id })

  const orders = part ? paid.filter(({ id }) => id === part.order_id) : paid
  // A refund without a part, of a payment for several servers, has returned the whole rest of the payment.
  for (const { id, net } of orders)
    await lowerValue(tx, id, orders.length > 1 ? net : (credit?.net ?? amount), {
      ofTime: of_time || cause === 'upgrade',
    })
  const left_of_time = (part ?? parts[0])?.left_of_time ?? left
  if (amount < (of_time ? left_of_time : left)) return posted
  const { end_for_next_owner = false } = refund
  for (const order of orders) await endPaid(app, tx, hosts.get(order.host_id), order, end_for_next_owner)
  return posted
}

/**
 * Locks the servers that a transaction has paid for, or that of one order, and returns them. It returns none that an upgrade has locked
 * already: an upgrade cuts the paid time itself, and nothing moves up, as another plan takes its place.
 */
async function lockServers(
  tx: Tx,
  transaction_id: string,
  order_id: string | undefined,
): Promise<Map<bigint, HostRow>> {
  const wanted = (await ordersPaidBy(tx, transaction_id)).flatMap(({ id, host_id }) =>
    order_id === undefined || id === order_id ? [host_id] : [],
  )
  if (wanted.every((id) => holdsLock(tx, locks.hosts, id))) return new Map()
  return new Map((await lockHostsById(tx, wanted)).map((host) => [host.id, host]))
}

const refundDescription = (reason: string, part: SpendingPart | undefined): Description =>
  part
    ? { code: 'refund_of_host', params: { host: part.host, reason } }
    : { code: 'refund', params: { reason } }

/**
 * Ends the paid time of a refunded order. The attack is somebody who sells a server with its paid time, and asks for the money back: by default
 * the time stays with the next owner, whom it was sold to.
 */
async function endPaid(
  app: App,
  tx: Tx,
  host: HostRow | undefined,
  { id, owner_id, plan_name }: OrderOfPayment,
  end_for_next_owner: boolean,
): Promise<void> {
  if (!host) return
  const isOthers = host.user_id !== owner_id
  if (isOthers && !end_for_next_owner) return
  const isEnded = await endRefunded(tx, host, id)
  if (!isOthers || !isEnded) return
  await mailEnded(app, tx, host, plan_name)
  await announceHost(tx, host)
}
