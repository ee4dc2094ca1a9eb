import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { must } from '#foundation/must.ts'
import { bookedBy, type OpenAllocation } from './allocation-queries.ts'
import { moneyOf } from './ledger-queries.ts'
import { post } from './ledger.ts'
import { bringMoneyBack, takeMoneyOut } from './money-out.ts'
import { insertLate, isUnsettled, takeLate, type MovedBalance } from './move-queries.ts'
import { payableOf } from './payable.ts'

const description = { code: 'merge', params: { provider: 'bank' } } as const
type Between = { from: string; to: string }
type Moving = { money: bigint; gift: bigint; pieces: readonly OpenAllocation[] }

/**
 * Moves a whole balance to another account: money as money, gifts as gifts. Money leaves as a pay-out does and comes in as a payment does,
 * so nothing is left of it between. Needs both balances locked. Throws 409 for a debt, and where money of the account is not settled.
 */
export async function moveBalance(app: App, tx: Tx, between: Between): Promise<MovedBalance> {
  return bookMove(app, tx, between, await movable(app, tx, between.from))
}

/**
 * Moves on what an account has got, or owes, since it was merged: a debt as a debt. Held money stays (decision 232). Money that the caller
 * spends at once (`spent`) may be held, and goes back with what it bought. Needs both balances locked. Returns what was moved, in minor units.
 */
export async function moveLateBalance(
  app: App,
  tx: Tx,
  between: Between,
  { spent = false }: { spent?: boolean } = {},
): Promise<bigint> {
  const { currency } = app.config
  const { balance, gift, payable, pieces } = await payableOf(tx, { user_id: between.from, currency })
  const own = balance - gift
  const money = own < 0n || spent ? own : payable
  if (money === 0n && gift === 0n) return 0n
  const moved = await bookMove(app, tx, between, { money, gift, pieces })
  if (!spent) await insertLate(tx, between.from, moved)
  return money + gift
}

async function bookMove(
  app: App,
  tx: Tx,
  { from, to }: Between,
  { money, gift, pieces }: Moving,
): Promise<MovedBalance> {
  if (money < 0n) await bookDebt(app, tx, { from, to }, -money)
  const leaving = { user_id: from, provider: 'bank', description, amount: money, pieces }
  const { booked } = money > 0n ? await takeMoneyOut(app, tx, leaving) : { booked: [] }
  const taken = booked.map(({ transaction_id: id, amount }) => ({ id, amount: String(amount) }))
  const paid = { type: 'fill_balance', user_id: to, provider: 'bank', description, amount: money } as const
  const given = money > 0n ? (await post(app, tx, paid)).transaction_id : null
  const gift_taken = gift > 0n ? await moveGift(app, tx, { from, to, gift }) : null
  return { money: String(money), gift: String(gift), taken, given, gift_taken }
}

/** A debt is taken from the other balance as it was taken from this one. It takes back no payment of that one: each may be disputed itself. */
async function bookDebt(app: App, tx: Tx, { from, to }: Between, amount: bigint): Promise<void> {
  const booking = { provider: 'bank', description, amount } as const
  await post(app, tx, { ...booking, type: 'fill_balance', user_id: from })
  await post(app, tx, { ...booking, type: 'charge_back', user_id: to })
}

/** Returns what can be moved of a balance. Throws 409 `merge_debt` and `merge_unsettled`. */
export async function movable(
  { config: { currency } }: Pick<App, 'config'>,
  db: App['db'],
  user_id: string,
): Promise<Moving> {
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
 * Moves back what a merge has moved, and what went after it since, where the account still has it; returns false, and books nothing, where
 * a part was spent, paid out or pulled back since. Needs both balances locked.
 */
export async function moveBalanceBack(
  app: App,
  tx: Tx,
  between: Between,
  moved: MovedBalance,
): Promise<boolean> {
  const moves = [moved, ...(await takeLate(tx, between.from))]
  if (!(await isStillThere(app, tx, between.to, moves))) return false
  // The debts first: what is taken then is there.
  for (const { money } of moves)
    if (BigInt(money) < 0n) await bookDebt(app, tx, { from: between.to, to: between.from }, -BigInt(money))
  for (const each of moves) await bookBack(app, tx, between, each)
  return true
}

async function isStillThere(
  { config: { currency } }: App,
  tx: Tx,
  user_id: string,
  moves: readonly MovedBalance[],
): Promise<boolean> {
  const held = await moneyOf(tx, { user_id, currency })
  const money = moves.reduce((sum, each) => sum + BigInt(each.money), 0n)
  const gift = moves.reduce((sum, each) => sum + BigInt(each.gift), 0n)
  if ((money > 0n && held.balance - held.gift < money) || held.gift < gift) return false
  for (const each of moves)
    if (each.given !== null && must(await bookedBy(tx, user_id, each.given)).left < BigInt(each.money))
      return false
  return true
}

async function bookBack(
  app: App,
  tx: Tx,
  { from, to }: Between,
  { money, gift, taken, given, gift_taken }: MovedBalance,
): Promise<void> {
  if (given !== null) {
    const booking = { type: 'charge_back', user_id: to, provider: 'bank', description } as const
    await post(app, tx, { ...booking, amount: BigInt(money), reverses: given })
    const pieces = taken.map(({ id, amount }) => ({ transaction_id: id, amount: BigInt(amount) }))
    await bringMoneyBack(app, tx, { user_id: from, provider: 'bank', description, pieces })
  }
  if (gift_taken !== null) {
    const amount = BigInt(gift)
    await post(app, tx, { type: 'inner_spending', user_id: to, amount, gift: amount, description })
    const back = { type: 'inner_refund', user_id: from, amount, gift: amount, description } as const
    await post(app, tx, { ...back, reverses: gift_taken })
  }
}
