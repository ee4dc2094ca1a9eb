import { toMoney, type Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { conflictWith } from '#foundation/server/http/http-error.ts'
import { lockBalance } from './ledger-queries.ts'

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
}
