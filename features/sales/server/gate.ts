import { arrivingTo, bookArrival, lockBalanceOf, lockBalancesOf } from '#features/finance/server/finance.ts'
import { type PayerRow, lockPayer, payersOf, payFor, spentBy } from '#features/payers/server/payers.ts'
import { hostCan, licenceStatus } from '#features/hosts/rules.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { findUser } from '#foundation/server/session/session.ts'

/** The fields of a server that a sale needs. In a preview, a server that is still to be made has a negative id and an empty public id. */
export type ServerRow = Pick<
  HostRow,
  | 'id'
  | 'public_id'
  | 'user_id'
  | 'name'
  | 'product'
  | 'ipv4'
  | 'ipv6'
  | 'periods'
  | 'renewal'
  | 'extras_at_end'
  | 'suspended'
  | 'auto_renew'
  | 'paid_until'
  | 'now'
>

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

/**
 * A payment that may be charged, and the amount that is left of it. No sale is written without one, and only `passGate` makes one: of
 * the class only the type is exported, and nothing else has its private field.
 */
class Passed {
  readonly payer: PayerRow | undefined
  readonly buyer_id: string
  #left: bigint

  constructor({ payer, buyer_id, total }: Due) {
    this.payer = payer
    this.buyer_id = buyer_id
    this.#left = total
  }

  /** Takes a charge from the payment. */
  take(amount: bigint): void {
    this.#left -= amount
    if (this.#left < 0n) throw new Error('more is charged than has passed the gate')
  }
}
export type { Passed }

/**
 * The one gate where money is charged (rule 60). It counts the limits of all who may bound a payment: the payer's, whose agreement the
 * caller has locked, and the helper's. It locks the balances in their order (rule 9), and with them those of `credited` accounts. Money that
 * has come for the order is booked here (decision 187). Throws
 * 402 `payment_limit_reached`, `insufficient_balance` or `helper_limit_reached`.
 */
export async function passGate(
  app: App,
  tx: Tx,
  dues: readonly Due[],
  credited: readonly string[] = [],
): Promise<Passed[]> {
  const arriving = arrivingTo(tx)
  const accounts = [
    ...credited,
    ...dues.map(({ buyer_id }) => buyer_id),
    ...(arriving === undefined ? [] : [arriving]),
  ]
  const balances =
    accounts.length > 1
      ? await lockBalancesOf(app, tx, accounts)
      : new Map([[must(accounts[0]), await lockBalanceOf(app, tx, must(accounts[0]))]])
  if (arriving !== undefined) {
    const before = balances.get(arriving) ?? 0n
    const due = dues.reduce((sum, { buyer_id, pay_now }) => sum + (buyer_id === arriving ? pay_now : 0n), 0n)
    balances.set(arriving, before + (await bookArrival(tx, due > before ? due - before : 0n)))
  }
  for (const { payer, buyer_id, pay_now, of_month } of dues) {
    if (payer) await assertPayerPays(tx, payer, of_month)
    if (pay_now > (balances.get(buyer_id) ?? 0n)) throw new HttpError(402, [{ code: 'insufficient_balance' }])
    if (!payer && pay_now > 0n) await app.acting?.spend(tx, pay_now)
  }
  return dues.map((due) => new Passed(due))
}

/** True if the host is a program, or has an address for a licence: an IPv4, or, if it has or had a licence, an IPv6 alone (decision 136). */
export const hasAddress = ({
  product,
  ipv4,
  ipv6,
  paid_until,
  now,
}: Pick<HostRow, 'product' | 'ipv4' | 'ipv6' | 'paid_until' | 'now'>): boolean =>
  hostCan.renew({
    product,
    ipv4,
    ipv6,
    ipv4_changes_left: null,
    licence: { status: licenceStatus(paid_until, now) },
  })

/** Throws 401 for an account that was deleted meanwhile, 403 `account_blocked`. */
export async function assertMayBuy(tx: Tx, user_id: string): Promise<void> {
  // A concurrent deletion of the account waits for the rows that we have locked, or we have waited for it and see it here.
  const buyer = await findUser(tx, user_id)
  if (!buyer?.is_active) throw new HttpError(401, [{ code: 'not_authenticated' }])
  // The routes refuse blocked accounts, but a renewal passes no route, and an order may have passed its route a moment before the block.
  if (buyer.access !== 'open') throw new HttpError(403, [{ code: 'account_blocked' }])
}

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
