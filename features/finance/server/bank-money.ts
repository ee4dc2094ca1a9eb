import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { randomId } from '#foundation/server/random-id.ts'
import { bankAccountIn, isIban } from '#features/finance/epc.ts'
import * as queries from './bank-money-queries.ts'
import { correctBooking } from './corrections.ts'
import { isPaid, postedBy } from './event-queries.ts'
import { ingestEventIn } from './payment-events.ts'
import { makeReference } from './references.ts'
import { insertTopUp, lockTopUp, topUpOf, type TopUpRow } from './top-up-queries.ts'

export { transfersCalled, transfersNamed, transfersOf, waitingReferences } from './bank-money-queries.ts'
export type { BankTransfer } from './bank-money-queries.ts'

/** Returns the IBAN of the account to which customers transfer money; undefined if the settings name none. */
export const ownIban = ({ config }: Pick<App, 'config'>): string | undefined =>
  bankAccountIn(config.bankAccount)?.iban

/** Money on a bank statement. Money with the same `event_id` is booked only once. `amount` in minor units, positive. */
type BankMoney = {
  event_id: string
  user_id: string
  /** The public id of the transfer that the money is for; undefined if no customer announced one. */
  top_up: string | undefined
  amount: bigint
  /** The account of the payer as the bank wrote it; '' or anything if the bank says none. */
  iban?: string
}

/**
 * Adds money that has arrived to a balance, even above the cap. Returns the id of the transaction and the public id of the transfer. Throws
 * 404 for a transfer of another customer, 409 `top_up_not_pending` for a paid transfer.
 */
export async function bookBankMoney(
  app: App,
  tx: Tx,
  { event_id, user_id, top_up, amount, iban = '' }: BankMoney,
): Promise<{ transaction_id: string; top_up: string }> {
  const row =
    top_up === undefined ? await unannounced(app, tx, user_id, amount) : await held(tx, user_id, top_up)
  if (row.provider !== 'bank' || (await isPaid(tx, row.id))) throw notPending()
  const transaction_id = await post(app, tx, 'paid', { event_id, row, amount, reason: '', iban })
  if (transaction_id === null) throw notPending()
  return { transaction_id, top_up: row.public_id }
}

/** Takes `amount` of a transfer back; returns the id of the transaction. Throws 409 `nothing_to_charge_back` if less of it is left. */
export async function takeBankMoneyBack(
  app: App,
  tx: Tx,
  { event_id, user_id, top_up, amount, reason }: BankMoney & { top_up: string; reason: string },
): Promise<string> {
  const row = await held(tx, user_id, top_up)
  const left = await queries.leftOf(tx, row.id)
  const transaction_id =
    left >= amount ? await post(app, tx, 'charged_back', { event_id, row, amount, reason }) : null
  if (transaction_id === null) throw new HttpError(409, [{ code: 'nothing_to_charge_back' }])
  return transaction_id
}

/** Undoes the booking of a payment on a statement that was a mistake; `event_id` is the one it was booked with. */
export async function correctBankLine(
  app: App,
  tx: Tx,
  { event_id, ...mistake }: { event_id: string; user_id: string; amount: bigint; reason: string },
): Promise<void> {
  const transaction_id = await postedBy(tx, { provider: 'bank', event_id })
  if (transaction_id === null) throw new HttpError(409, [{ code: 'nothing_to_charge_back' }])
  await correctBooking(app, tx, { ...mistake, transaction_id })
}

const notPending = () => new HttpError(409, [{ code: 'top_up_not_pending' }])

async function post(
  app: App,
  tx: Tx,
  kind: 'paid' | 'charged_back',
  {
    event_id,
    row,
    amount,
    reason,
    iban = '',
  }: { event_id: string; row: TopUpRow; amount: bigint; reason: string; iban?: string },
): Promise<string | null> {
  const account = iban.replaceAll(/\s/g, '').toUpperCase()
  const paid_from = isIban(account) ? account.slice(0, 2) : null
  const event = {
    provider: 'bank',
    event_id,
    kind,
    payment_reference: null,
    currency: null,
    paid_from,
  } as const
  await ingestEventIn(app, tx, { ...event, top_up: row.public_id, amount, reason })
  return postedBy(tx, event)
}

async function held(tx: Tx, user_id: string, public_id: string): Promise<TopUpRow> {
  const row = await topUpOf(tx, user_id, public_id)
  if (!row) throw notFound()
  return lockTopUp(tx, row.id)
}

async function unannounced(app: App, tx: Tx, user_id: string, amount: bigint): Promise<TopUpRow> {
  for (;;) {
    const row = await insertTopUp(tx, {
      public_id: randomId(),
      user_id,
      provider: 'bank',
      amount,
      currency: app.config.currency,
      reference: makeReference(),
    })
    if (row) return row
  }
}
