import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { notFound, HttpError } from '#foundation/server/http/http-error.ts'
import { refundBegins, refunded, vatShareRequested } from '#features/finance/contract.ts'
import { isSpending, refundTypes, type Description, type RefundCause } from '#features/finance/rules.ts'
import { post, type Posted, type VatShare } from './ledger.ts'
import * as queries from './ledger-queries.ts'

export {
  bookBankMoney,
  ownIban,
  takeBankMoneyBack,
  transfersCalled,
  transfersNamed,
  transfersOf,
  waitingReferences,
} from './bank-money.ts'
export type { BankTransfer } from './bank-money.ts'
export { balanceOf } from './balance.ts'
export { checkLedger } from './check.ts'
export { closeMonths } from './closings.ts'
export { customersAt, customersAtEnds } from './closings-queries.ts'
export { credit } from './credit.ts'
export { ingestEventIn } from './payment-events.ts'
export { ownerOfReference, transferWith, waitingTransfers } from './references.ts'
export { rejectTransfer } from './transfers.ts'
export { confirmForOperator } from './confirm-transfer.ts'
export { balancePreview, linksWith } from './staff.ts'
export { announceTopUp } from './top-ups.ts'
export { assertOther } from './assert-other.ts'
export {
  addVoucher,
  hashVoucherCode,
  makeVoucher,
  newVoucherCode,
  redeemOnce,
  voucherCodeFor,
} from './vouchers.ts'
export { issueVoucher, vouchersBefore, voidVoucher, type MadeVoucher } from './made-vouchers.ts'
export { bookReissue } from './book-reissue.ts'
export { linkInvoice, overdrawnCustomers, transactionOfDocument } from './ledger-queries.ts'
export { findTransaction } from './transactions.ts'
export {
  ledgerSums,
  movementsAfter,
  movementsBefore,
  type LedgerSum,
  type MovementRow,
} from './exported-queries.ts'
export { vatBooked } from './vat-booked-queries.ts'
export { splitPastVat } from './vat-split.ts'
export type { Posted } from './ledger.ts'

/**
 * Takes `amount` (minor units, positive) from a balance. Throws 402 `insufficient_balance`, with nothing
 * written, if the balance is too small; the calling route declares it. Locks the customer's balance until the
 * transaction ends.
 */
export async function charge(
  app: App,
  tx: Tx,
  spending: {
    user_id: string
    amount: bigint
    type: 'spend' | 'inner_spending'
    description: Description
    host_id?: string | null
    /** The part of `amount` that is VAT. */
    vat?: VatShare
  },
): Promise<Posted> {
  await assertCovered(app, tx, spending)
  return post(app, tx, spending)
}

/** The balance of a customer, which nobody else changes until the transaction ends. */
export const lockBalanceOf = async (
  { config }: Pick<App, 'config'>,
  tx: Tx,
  user_id: string,
): Promise<bigint> => (await queries.lockBalance(tx, { user_id, currency: config.currency })) ?? 0n

/** Throws 402 `insufficient_balance` if the balance is smaller than `amount`, and locks it until the transaction ends. */
export async function assertCovered(
  app: App,
  tx: Tx,
  { user_id, amount }: { user_id: string; amount: bigint },
): Promise<void> {
  const balance = await lockBalanceOf(app, tx, user_id)
  if (balance < amount) throw new HttpError(402, [{ code: 'insufficient_balance' }])
}

/** How much of a spending can still be refunded, in minor units. */
export async function refundableOf(db: App['db'], user_id: string, transaction_id: string): Promise<bigint> {
  const spent = await queries.spentBy(db, user_id, transaction_id)
  return spent ? -spent.amount - spent.given_back : 0n
}

/**
 * Refunds a spending, `amount` of it (minor units) or all that is left, as the type that belongs to it, and
 * lets the other features react (`refundBegins` before anything is locked, `vatShareRequested`, and `refunded` after). Throws 404 if
 * it is not this customer's, 409 `not_refundable` if it was no spending, or the amount is more than is left.
 * The customer reads `reason`.
 */
export async function bookRefund(
  app: App,
  tx: Tx,
  refund: {
    user_id: string
    transaction_id: string
    amount?: bigint | undefined
    reason: string
    cause?: RefundCause
    /** Without it: that it is a refund, for this reason. */
    description?: Description
  },
): Promise<Posted> {
  const { user_id, transaction_id, reason, cause = 'refund' } = refund
  const named = await queries.spentBy(tx, user_id, transaction_id)
  if (!named) throw notFound()
  const { host_id, type, currency } = named
  await emit(app, tx, refundBegins, { user_id, transaction_id, host_id })
  await queries.lockBalance(tx, { user_id, currency })
  // Read again: the previous holder of the lock may have refunded some of it.
  const spent = (await queries.spentBy(tx, user_id, transaction_id)) ?? named
  const left = -spent.amount - spent.given_back
  const amount = refund.amount ?? left
  if (!isSpending(type) || currency !== app.config.currency || amount > left || amount <= 0n)
    throw new HttpError(409, [{ code: 'not_refundable' }])
  let vat: VatShare | undefined
  const answer = (share: VatShare): void => void (vat = share)
  await emit(app, tx, vatShareRequested, { user_id, transaction_id, amount, answer })
  const posted = await post(app, tx, {
    type: refundTypes[type],
    user_id,
    amount,
    vat,
    description: refund.description ?? { code: 'refund', params: { reason } },
    host_id,
    reverses: transaction_id,
  })
  await emit(app, tx, refunded, {
    user_id,
    transaction_id,
    refund_transaction_id: posted.transaction_id,
    amount,
    vat: vat?.amount ?? 0n,
    left: left - amount,
    host_id,
    reason,
    cause,
  })
  return posted
}
