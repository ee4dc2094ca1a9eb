import { payable } from '#features/finance/rules.ts'
import { openPayments, type OpenAllocation } from './allocation-queries.ts'
import { moneyOf } from './ledger-queries.ts'

type Db = Parameters<typeof openPayments>[0]

type Payable = { balance: bigint; gift: bigint; payable: bigint; pieces: OpenAllocation[] }

/**
 * Returns a balance with the gift in it, how much of it may leave, in minor units, and the payments that this money comes from,
 * oldest first.
 */
export async function payableOf(
  db: Db,
  { user_id, currency }: { user_id: string; currency: string },
): Promise<Payable> {
  const { balance, gift } = await moneyOf(db, { user_id, currency })
  const pieces = await openPayments(db, user_id, currency)
  const open = pieces.reduce((sum, { left }) => sum + left, 0n)
  return { balance, gift, payable: payable({ balance, gift, open }), pieces }
}
