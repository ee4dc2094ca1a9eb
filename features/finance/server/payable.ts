import { payable } from '#features/finance/rules.ts'
import { openPayments, type OpenAllocation } from './allocation-queries.ts'
import { moneyOf } from './ledger-queries.ts'
import { heldOf } from './unbooked-queries.ts'

type Db = Parameters<typeof openPayments>[0]

type Payable = { balance: bigint; gift: bigint; held: bigint; payable: bigint; pieces: OpenAllocation[] }

/**
 * Returns a balance with the gift in it, how much is held and how much may leave, in minor units, and the payments that this money comes
 * from, oldest first.
 */
export async function payableOf(
  db: Db,
  { user_id, currency }: { user_id: string; currency: string },
): Promise<Payable> {
  const { balance, gift } = await moneyOf(db, { user_id, currency })
  const pieces = await openPayments(db, user_id, currency)
  const open = pieces.reduce((sum, { left }) => sum + left, 0n)
  const held = await heldOf(db, { user_id, currency })
  return { balance, gift, held, payable: payable({ balance, gift, open, held }), pieces }
}
