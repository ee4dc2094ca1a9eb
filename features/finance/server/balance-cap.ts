import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { lockBalance } from './ledger-queries.ts'

/**
 * Throws 400 `balance_cap` about the field `param` if `amount` more would raise a balance above the operator's limit: money on a balance is
 * a debt to the customer, and an account with much money is worth stealing. Locks the balance until the transaction ends.
 */
export async function assertBelowCap(
  app: App,
  tx: Tx,
  user_id: string,
  amount: bigint,
  param: string,
): Promise<void> {
  const balance = (await lockBalance(tx, { user_id, currency: app.config.currency })) ?? 0n
  if (balance + amount > app.config.topUp.balanceCap) throw badRequest('balance_cap', param)
}
