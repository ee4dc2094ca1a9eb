import { toMoney, type Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { conflictWith } from '#foundation/server/http/http-error.ts'
import { lockBalance, moneyOf } from './ledger-queries.ts'
import { closeUnbooked, keepUnbooked } from './unbooked-events.ts'

/**
 * Throws 409 `balance_left` with the sum, unless the person who deletes the account named exactly this sum as
 * forfeited. The row is locked to the end, so that money arriving at this moment is either named or comes too
 * late.
 */
export async function assertForfeited(
  app: App,
  tx: Tx,
  { user_id, forfeit }: { user_id: string; forfeit: Money | undefined },
): Promise<void> {
  const { currency } = app.config
  const left = (await lockBalance(tx, { user_id, currency })) ?? 0n
  if (left <= 0n) return
  const balance = toMoney(left, currency)
  if (forfeit?.amount !== balance.amount || forfeit.currency !== currency)
    throw conflictWith({ code: 'balance_left' }, { balance })
  await closeLeftMoney(tx, user_id)
}

/**
 * Puts the money of an account that ends on the list of staff; a gift is nothing that could be paid back. It stays there unless somebody
 * gives the sum up (rule 61).
 */
export async function keepLeftMoney(app: App, tx: Tx, user_id: string): Promise<void> {
  const { currency } = app.config
  const { balance, gift } = await moneyOf(tx, { user_id, currency })
  const amount = balance - gift
  if (amount <= 0n) return
  const nothing = { payment_reference: null, reason: '' }
  await keepUnbooked(tx, { ...closingOf(user_id), ...nothing, amount, currency }, 'account_closed', {
    user_id,
  })
}

/** Takes the balance of an account that ended off the list of staff, because nobody paid it. */
export const closeLeftMoney = (tx: Tx, user_id: string): Promise<void> =>
  closeUnbooked(tx, closingOf(user_id))

const closingOf = (user_id: string) =>
  ({ provider: 'bank', event_id: `closed:${user_id}`, kind: 'paid' }) as const
