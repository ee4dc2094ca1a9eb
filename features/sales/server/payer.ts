import type { HostRow } from '#features/hosts/server/hosts.ts'
import { lockPayer, payersOf, payFor, spentBy, type PayerRow } from '#features/payers/server/payers.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { findUser } from '#foundation/server/session/session.ts'

/**
 * Returns the payer of a host whose row the caller has locked; undefined if the owner pays. It locks the agreement, too, and lets this
 * transaction charge the payer. An agreement about renewals covers automatic renewals, not orders by a person.
 */
export async function payerFor(
  tx: Tx,
  host: Pick<HostRow, 'id'>,
  { automatic }: { automatic: boolean },
): Promise<PayerRow | undefined> {
  const payer = await lockPayer(tx, host.id)
  if (!payer || (payer.pays === 'renewals' && !automatic)) return undefined
  // Automatic renewals run as the system, which may write for every account without `payFor`.
  if (!automatic) await payFor(tx, payer)
  return payer
}

/** Returns the payer of an order by a person for a host, for a preview; undefined if the owner would pay. */
export async function payerOf(db: App['db'], host_id: bigint): Promise<PayerRow | undefined> {
  const [payer] = await payersOf(db, [host_id])
  return payer?.pays === 'all' ? payer : undefined
}

/** Throws 402 `insufficient_balance` if the payer may not buy anything, and 402 `payment_limit_reached` above the monthly limit. */
export async function assertPayerPays(tx: Tx, payer: PayerRow, amount: bigint): Promise<void> {
  const account = await findUser(tx, payer.payer_id)
  // The reason why the payer may not buy is the payer's business, so the code does not name it.
  if (!account?.is_active || account.access !== 'open')
    throw new HttpError(402, [{ code: 'insufficient_balance' }])
  if (payer.month_limit === null) return
  const spent = (await spentBy(tx, [payer.agreement_id])).get(payer.agreement_id) ?? 0n
  if (spent + amount > payer.month_limit) throw new HttpError(402, [{ code: 'payment_limit_reached' }])
}
