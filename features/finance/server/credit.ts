import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { post, type Posted } from './ledger.ts'
import { creditGiven, notifyCustomer } from './mails.ts'

/**
 * Gives a customer `amount` (minor units) without any money having come in: booked as a voucher is, against promotions.
 * The customer reads `reason`.
 */
export async function credit(
  app: App,
  tx: Tx,
  { user_id, amount, reason }: { user_id: string; amount: bigint; reason: string },
): Promise<Posted> {
  const description = { code: 'credit', params: { reason } } as const
  const posted = await post(app, tx, { type: 'fill_balance_voucher', user_id, amount, description })
  await notifyCustomer(app, tx, user_id, creditGiven, { amount, balance: posted.balance_after })
  return posted
}
