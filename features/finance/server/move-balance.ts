import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { must } from '#foundation/must.ts'
import { bookedBy } from './allocation-queries.ts'
import { moneyOf } from './ledger-queries.ts'
import { post } from './ledger.ts'
import { isUnsettled } from './move-queries.ts'
import { payableOf } from './payable.ts'

/** The bookings that moved a balance, as they are kept to move it back. Amounts in minor units, as texts. */
export type MovedBalance = {
  money: string
  gift: string
  /** The bookings that took the money, each from a payment of the account of before, and the one that gave it. */
  taken: { id: string; amount: string }[]
  given: string | null
  /** The booking that took the gift. */
  gift_taken: string | null
}

const description = { code: 'merge', params: { provider: 'bank' } } as const
type Between = { from: string; to: string }

/**
 * Moves a whole balance to another account: money as money, gifts as gifts. Money leaves as a pay-out does and comes in as a payment does,
 * so nothing is left of it between. Needs both balances locked. Throws 409 for a debt, and where money of the account is not settled.
 */
export async function moveBalance(app: App, tx: Tx, { from, to }: Between): Promise<MovedBalance> {
  const { money, gift, pieces } = await movable(app, tx, from)
  const taken: MovedBalance['taken'] = []
  let rest = money
  for (const { id, left } of pieces) {
    const amount = left < rest ? left : rest
    if (amount <= 0n) break
    const booking = { type: 'charge_back', user_id: from, provider: 'bank', description } as const
    const { transaction_id } = await post(app, tx, { ...booking, amount, reverses: id })
    taken.push({ id: transaction_id, amount: String(amount) })
    rest -= amount
  }
  const paid = { type: 'fill_balance', user_id: to, provider: 'bank', description, amount: money } as const
  const given = money > 0n ? (await post(app, tx, paid)).transaction_id : null
  const gift_taken = gift > 0n ? await moveGift(app, tx, { from, to, gift }) : null
  return { money: String(money), gift: String(gift), taken, given, gift_taken }
}

/** Returns what can be moved of a balance. Throws 409 `merge_debt` and `merge_unsettled`. */
export async function movable({ config: { currency } }: Pick<App, 'config'>, db: App['db'], user_id: string) {
  const { balance, gift, payable, pieces } = await payableOf(db, { user_id, currency })
  if (balance < 0n) throw new HttpError(409, [{ code: 'merge_debt' }])
  const money = balance - gift
  if (money > payable || (await isUnsettled(db, user_id, currency)))
    throw new HttpError(409, [{ code: 'merge_unsettled' }])
  return { money, gift, pieces }
}

/** A gift is spent by the one account, of nothing but the gift, and given to the other. */
async function moveGift(app: App, tx: Tx, { from, to, gift }: Between & { gift: bigint }): Promise<string> {
  const spent = { type: 'inner_spending', user_id: from, amount: gift, gift, description } as const
  const { transaction_id } = await post(app, tx, spent)
  await post(app, tx, { type: 'fill_balance_voucher', user_id: to, amount: gift, description })
  return transaction_id
}

/**
 * Moves a balance back where the account still has it; returns false, and books nothing, where a part was spent, paid out or pulled back
 * since. Needs both balances locked.
 */
export async function moveBalanceBack(
  app: App,
  tx: Tx,
  { from, to }: Between,
  moved: MovedBalance,
): Promise<boolean> {
  const { currency } = app.config
  const [money, gift] = [BigInt(moved.money), BigInt(moved.gift)]
  const held = await moneyOf(tx, { user_id: to, currency })
  const left = moved.given === null ? 0n : must(await bookedBy(tx, to, moved.given)).left
  if (held.balance - held.gift < money || held.gift < gift || left < money) return false
  if (moved.given !== null) {
    const booking = { type: 'charge_back', user_id: to, provider: 'bank', description } as const
    await post(app, tx, { ...booking, amount: money, reverses: moved.given })
  }
  for (const { id, amount } of moved.taken) {
    const booking = { type: 'fill_balance', user_id: from, provider: 'bank', description } as const
    await post(app, tx, { ...booking, amount: BigInt(amount), reverses: id })
  }
  if (moved.gift_taken !== null) {
    await post(app, tx, { type: 'inner_spending', user_id: to, amount: gift, gift, description })
    const back = { type: 'inner_refund', user_id: from, amount: gift, gift, description } as const
    await post(app, tx, { ...back, reverses: moved.gift_taken })
  }
  return true
}
