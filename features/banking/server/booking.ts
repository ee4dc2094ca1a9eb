import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { bookBankMoney, takeBankMoneyBack } from '#features/finance/server/finance.ts'
import * as queries from './queries.ts'
import type { LineRow } from './queries.ts'

/** The name of a payment's event: each booking of it has one of its own, which the ledger takes once. */
export const eventOf = ({ id, bookings }: Pick<LineRow, 'id' | 'bookings'>) => `line:${id}:${bookings}`

export async function book(
  app: App,
  tx: Tx,
  { id, amount, bookings }: LineRow,
  to: { user_id: string; top_up: string | undefined },
): Promise<void> {
  const event_id = eventOf({ id, bookings: bookings + 1 })
  const { transaction_id, top_up } = await bookBankMoney(app, tx, { ...to, event_id, amount })
  await queries.updateLine(tx, id, {
    state: 'booked',
    user_id: to.user_id,
    top_up,
    bookings: bookings + 1,
    transaction_id,
  })
}

/** The bank took a payment back: so much is taken from the balance, and the payment is no longer one of a customer's. */
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
