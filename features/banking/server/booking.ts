import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { bookBankMoney, takeBankMoneyBack } from '#features/finance/server/finance.ts'
import * as queries from './queries.ts'
import type { LineRow } from './queries.ts'

/** Returns the id of the event for a booking of a payment. Each booking of a payment has its own id, and the ledger books each id once. */
export const eventOf = ({ id, bookings }: Pick<LineRow, 'id' | 'bookings'>) => `line:${id}:${bookings}`

export async function book(
  app: App,
  tx: Tx,
  { id, amount, bookings, iban }: LineRow,
  to: { user_id: string; top_up: string | undefined },
): Promise<void> {
  const event_id = eventOf({ id, bookings: bookings + 1 })
  const { transaction_id, top_up } = await bookBankMoney(app, tx, { ...to, event_id, amount, iban })
  await queries.updateLine(tx, id, {
    state: 'booked',
    user_id: to.user_id,
    top_up,
    bookings: bookings + 1,
    transaction_id,
  })
}

/** Books a return by the bank: takes its amount from the customer's balance, as a chargeback of the transfer that was paid. */
export async function bookReturn(
  app: App,
  tx: Tx,
  { id, amount, bookings, ...line }: LineRow,
  to: { user_id: string; top_up: string | undefined; reason: string },
): Promise<void> {
  const top_up = to.top_up ?? line.top_up
  if (top_up === null) throw new HttpError(409, [{ code: 'nothing_to_charge_back' }])
  const event_id = eventOf({ id, bookings: bookings + 1 })
  const { user_id, reason } = to
  const transaction_id = await takeBankMoneyBack(app, tx, {
    event_id,
    user_id,
    top_up,
    amount: -amount,
    reason,
  })
  await queries.updateLine(tx, id, {
    state: 'booked',
    user_id,
    top_up,
    bookings: bookings + 1,
    transaction_id,
  })
}
