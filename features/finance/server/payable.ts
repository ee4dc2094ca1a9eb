import { openPayments, type OpenAllocation } from './allocation-queries.ts'
import { moneyOf } from './ledger-queries.ts'

type Db = Parameters<typeof openPayments>[0]

type Payable = { balance: bigint; gift: bigint; payable: bigint; pieces: OpenAllocation[] }

/**
 * Returns a balance with the gift in it, how much of it a pay-out may take, in minor units, and the payments that this money comes from:
 * what is left of paid money, as gifts are never paid out, and no more than the payments that were not given back yet.
 */
export async function payableOf(
  db: Db,
  { user_id, currency }: { user_id: string; currency: string },
): Promise<Payable> {
  const { balance, gift } = await moneyOf(db, { user_id, currency })
  const pieces = await openPayments(db, user_id, currency)
  const open = pieces.reduce((sum, { left }) => sum + left, 0n)
  const paid = balance - gift
  const most = paid < open ? paid : open
  return { balance, gift, payable: most > 0n ? most : 0n, pieces }
}
