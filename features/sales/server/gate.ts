import { lockBalanceOf, lockBalancesOf } from '#features/finance/server/finance.ts'
import type { PayerRow } from '#features/payers/server/payers.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { assertPayerPays } from './payer.ts'

/** The amount that one account is to pay, in minor units. */
export type Due = {
  /** Undefined if the owner pays. */
  payer: PayerRow | undefined
  buyer_id: string
  total: bigint
  /** The total less the credit that comes back to the same account. */
  pay_now: bigint
  /** The amount that counts against the monthly limit of the payer's agreement. */
  of_month: bigint
}

/** A payment that may be charged: its account, and the amount that is left of it. Only `passGate` makes one, and no sale is written without. */
export type Passed = Pick<Due, 'payer' | 'buyer_id'> & { left: bigint }

/**
 * The one gate where money is charged (rule 60). It counts the limits of all who may bound a payment: the payer's, whose agreement the
 * caller has locked, and the helper's. It locks the balances in their order (rule 9), and with them those of `credited` accounts. Throws
 * 402 `payment_limit_reached`, `insufficient_balance` or `helper_limit_reached`.
 */
export async function passGate(
  app: App,
  tx: Tx,
  dues: readonly Due[],
  credited: readonly string[] = [],
): Promise<Passed[]> {
  const accounts = [...credited, ...dues.map(({ buyer_id }) => buyer_id)]
  const balances =
    accounts.length > 1
      ? await lockBalancesOf(app, tx, accounts)
      : new Map([[must(accounts[0]), await lockBalanceOf(app, tx, must(accounts[0]))]])
  const passed: Passed[] = []
  for (const { payer, buyer_id, total, pay_now, of_month } of dues) {
    if (payer) await assertPayerPays(tx, payer, of_month)
    if (pay_now > (balances.get(buyer_id) ?? 0n)) throw new HttpError(402, [{ code: 'insufficient_balance' }])
    if (!payer && pay_now > 0n) await app.acting?.spend(tx, pay_now)
    passed.push({ payer, buyer_id, left: total })
  }
  return passed
}

/** Takes a charge from a payment that has passed the gate. */
export function takeFrom(payment: Passed, amount: bigint): void {
  payment.left -= amount
  if (payment.left < 0n) throw new Error('more is charged than has passed the gate')
}
