import { HttpError } from '#foundation/server/http/http-error.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Description } from '#features/finance/rules.ts'
import type { OpenAllocation } from './allocation-queries.ts'
import { lockBalance } from './ledger-queries.ts'
import { post, type Posted } from './ledger.ts'
import { payableOf } from './payable.ts'

/** A booking of money that left a balance or came back to it; the amount in minor units. */
export type Piece = { transaction_id: string; amount: bigint }

type Leaving = { user_id: string; provider: string; description: Description }

/**
 * Returns the payments that money which leaves comes from, oldest first, with the balance locked. Throws 409 `nothing_to_pay_out` for more
 * than may leave (rule 61).
 */
export async function assertPayable(
  app: App,
  tx: Tx,
  user_id: string,
  amount: bigint,
): Promise<OpenAllocation[]> {
  const owned = { user_id, currency: app.config.currency }
  await lockBalance(tx, owned)
  const { payable, pieces } = await payableOf(tx, owned)
  if (amount > payable) throw new HttpError(409, [{ code: 'nothing_to_pay_out' }])
  return pieces
}

/** Books money out of a balance, one booking for each payment that it gives back. Needs the balance locked, and `pieces` that suffice. */
export async function takeMoneyOut(
  app: App,
  tx: Tx,
  { amount, pieces, ...leaving }: Leaving & { amount: bigint; pieces: readonly OpenAllocation[] },
): Promise<{ booked: Piece[]; last: Posted }> {
  const booked: Piece[] = []
  let rest = amount
  let last: Posted | undefined
  for (const { id, left } of pieces) {
    const part = left < rest ? left : rest
    if (part <= 0n) break
    last = await post(app, tx, { type: 'charge_back', ...leaving, amount: part, reverses: id })
    booked.push({ transaction_id: last.transaction_id, amount: part })
    rest -= part
  }
  if (rest > 0n) throw new Error(`${rest} more was to leave a balance than its payments have left`)
  return { booked, last: must(last) }
}

/** Books money back in that `takeMoneyOut` booked out: it counts as the same payments again. */
export async function bringMoneyBack(
  app: App,
  tx: Tx,
  { pieces, ...leaving }: Leaving & { pieces: readonly Piece[] },
): Promise<{ booked: Piece[]; last: Posted }> {
  const booked: Piece[] = []
  let last: Posted | undefined
  for (const { transaction_id: reverses, amount } of pieces) {
    last = await post(app, tx, { type: 'fill_balance', ...leaving, amount, reverses })
    booked.push({ transaction_id: last.transaction_id, amount })
  }
  return { booked, last: must(last) }
}
