import type { App } from '#foundation/server/app.ts'
import { holdsLock } from '#foundation/server/database/lock-order.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Description } from '#features/finance/rules.ts'
import { post, type Posted, type VatShare } from './ledger.ts'
import { locks } from './locks.ts'
import * as queries from './ledger-queries.ts'

export {
  bookBankMoney,
  correctBankLine,
  ownIban,
  takeBankMoneyBack,
  transfersCalled,
  transfersNamed,
  transfersOf,
  waitingReferences,
} from './bank-money.ts'
export type { BankTransfer } from './bank-money.ts'
export { bankAccountIn, isIban } from '#features/finance/epc.ts'
export { paymentReceived } from './mails.ts'
export { lastsUntil } from '#features/finance/forecast.ts'
export { giftOfRefund } from '#features/finance/gifts.ts'
export { balanceOf } from './balance.ts'
export { balancesAt, giftsAt, type BalanceRow, vatBooked } from './books-queries.ts'
export { checkLedger } from './check.ts'
export { closeMonths } from './closings.ts'
export { customersAt, customersAtEnds } from './closings-queries.ts'
export { credit } from './credit.ts'
export { closeLeftMoney } from './forfeit.ts'
export { payingCountries } from './top-up-queries.ts'
export { ingestEventIn } from './payment-events.ts'
export { countTransfers, ownerOfReference, transferWith, waitingTransfers } from './references.ts'
export { monthOfLedger, transactionsUntil } from './statement.ts'
export { accountsMoved, giftAfter, spanOfMonth } from './statement-queries.ts'
export type { TransactionRow } from './transactions-queries.ts'
export { toTransactionReply } from './transactions.ts'
export { endUncharged } from './fail-payment.ts'
export { cancelPayment, rejectTransfer, transferAnnounced } from './transfers.ts'
export { confirmForOperator } from './confirm-transfer.ts'
export { chargeBackForOperator } from './staff-top-ups.ts'
export { balancePreview, linksWith, recordBooked, type Done } from './staff.ts'
export {
  announceGuest,
  beginGuest,
  deleteGuest,
  giveGuestPayment,
  guestProviders,
  guestWaits,
  lockGuest,
  settleGuest,
  sweepGuests,
} from './guest-payments.ts'
export { announceTopUp, beginPayment } from './top-ups.ts'
export { amountMissing, arrivingTo, bookArrival, spendArrival } from './arrivals.ts'
export { paymentOf } from './top-up-reply.ts'
export { assertOther } from './assert-other.ts'
export {
  addVoucher,
  hashVoucherCode,
  makeVoucher,
  newVoucherCode,
  redeemOnce,
  voucherCodeFor,
} from './vouchers.ts'
export {
  assertRedeemable,
  issueVoucher,
  vouchersInOrder,
  voidVoucher,
  type MadeVoucher,
} from './made-vouchers.ts'
export { askable, canRefund, judged, offered, providerCalled } from './providers/providers.ts'
export type {
  ChargeAnswer,
  RefundAnswer,
  Readiness,
  SavedMethod,
  Subscription,
} from './providers/provider.ts'
export { stripeEvents } from './providers/stripe-events.ts'
export { bookReissue } from './book-reissue.ts'
export { locks } from './locks.ts'
export { linkInvoice, recordLowBalance } from './record-events.ts'
export {
  lockBalance,
  moneyOf,
  overdrawnCustomers,
  spendingOf,
  spentBy,
  transactionOfDocument,
} from './ledger-queries.ts'
export { countUnbooked } from './unbooked-queries.ts'
export { bookedBy, openAllocations } from './allocation-queries.ts'
export { assertPayable, bringMoneyBack, takeMoneyOut, type Piece } from './money-out.ts'
export { payableOf } from './payable.ts'
export {
  lockTopUp,
  lockTopUpIfFree,
  setCharge,
  topUpOf,
  topUpWithId,
  type TopUpRow,
} from './top-up-queries.ts'
export { returnPath } from './return-path.ts'
export { noteUnderWay, takeRefund } from './refunds-by-hand.ts'
export { keepUnbooked } from './unbooked-events.ts'
export { movable, moveBalance, moveBalanceBack, moveLateBalance } from './move-balance.ts'
export { unevenBalances, type MovedBalance } from './move-queries.ts'
export { findTransaction } from './transactions.ts'
export {
  ledgerSums,
  movementsAfter,
  movementsInOrder,
  type LedgerSum,
  type MovementRow,
} from './exported-queries.ts'
export { post, type Posted } from './ledger.ts'

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
    /** The part of `amount` that is VAT: of the money, as gifts bear none. */
    vat?: VatShare
    /** The part of `amount` that is a gift: what `giftPart` returned (minor units). */
    gift: bigint
    /** True if the caller has locked the balance and found it large enough. */
    isCovered?: boolean
  },
): Promise<Posted> {
  if (!spending.isCovered) await assertCovered(app, tx, spending)
  return post(app, tx, spending)
}

/** Returns the part of a charge of `amount` (minor units) that gifts pay, which are spent first (decision 151). Locks the balance. */
export async function giftPart(
  { config: { currency } }: Pick<App, 'config'>,
  tx: Tx,
  { user_id, amount }: { user_id: string; amount: bigint },
): Promise<bigint> {
  if (!holdsLock(tx, locks.balances, user_id)) await queries.lockBalance(tx, { user_id, currency })
  const { gift } = await queries.moneyOf(tx, { user_id, currency })
  return gift < amount ? gift : amount
}

/** Locks all balances of an act by one statement, and returns them by customer (minor units); for several in one transaction (rule 9). */
export const lockBalancesOf = (
  { config }: Pick<App, 'config'>,
  tx: Tx,
  user_ids: readonly string[],
): Promise<Map<string, bigint>> => queries.lockBalances(tx, user_ids, config.currency)

/** Returns the balance of a customer (minor units), locked against changes by others until the transaction ends. */
export const lockBalanceOf = async (
  { config }: Pick<App, 'config'>,
  tx: Tx,
  user_id: string,
): Promise<bigint> => (await queries.lockBalance(tx, { user_id, currency: config.currency })) ?? 0n

/** Throws 402 `insufficient_balance` if the balance is smaller than `amount`, and locks it until the transaction ends. */
async function assertCovered(
  app: App,
  tx: Tx,
  { user_id, amount }: { user_id: string; amount: bigint },
): Promise<void> {
  const balance = await lockBalanceOf(app, tx, user_id)
  if (balance < amount) throw new HttpError(402, [{ code: 'insufficient_balance' }])
}
