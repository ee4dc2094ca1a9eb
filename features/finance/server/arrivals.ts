import { must } from '#foundation/must.ts'
import { allOrNothing, undone, type Tx } from '#foundation/server/database/transaction.ts'
import type { Posted } from './ledger.ts'

/**
 * Money that is about to be booked, and the order that waits for it (decision 187). Balances are locked after servers (rule 9), so that the
 * order, which locks servers, cannot follow the booking. Instead the gate of sales books the money, once it has locked the balances.
 */
type Arriving = { user_id: string; book: (missing: bigint) => Promise<bigint> }

/** The money that has come in a transaction, with its booking, and the money that its order may book now. */
const pending = new WeakMap<Tx, Arriving & { booked: Posted | undefined }>()
const open = new WeakMap<Tx, Arriving>()

/** Books money that has come, by the order that `spend` leads to, or else after it. `post` books it. */
export async function bookFor(
  tx: Tx,
  { user_id, amount }: { user_id: string; amount: bigint },
  post: () => Promise<Posted>,
  spend: () => Promise<void>,
): Promise<Posted> {
  const arriving = {
    user_id,
    booked: undefined as Posted | undefined,
    async book() {
      arriving.booked = await post()
      return amount
    },
  }
  pending.set(tx, arriving)
  await spend()
  pending.delete(tx)
  return arriving.booked ?? post()
}

/** Does what the money is for: all of it, or, with its error, nothing, and then the money is not booked either. */
export async function spendArrival<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const arriving = must(pending.get(tx), 'payment')
  open.set(tx, arriving)
  try {
    return await allOrNothing(tx, work)
  } catch (error) {
    arriving.booked = undefined
    throw error
  } finally {
    open.delete(tx)
  }
}

/**
 * Does `work` as if the money that the balance lacks had come, and undoes all of it: so an order that would be refused is refused before it
 * is paid. Returns what lacks, in minor units. `post` books it.
 */
export async function amountMissing(
  tx: Tx,
  user_id: string,
  post: (missing: bigint) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<bigint> {
  let lacks: bigint | undefined
  open.set(tx, {
    user_id,
    async book(missing) {
      lacks = missing
      if (missing > 0n) await post(missing)
      return missing
    },
  })
  try {
    await undone(tx, work)
  } finally {
    open.delete(tx)
  }
  return must(lacks, 'order that passes the gate')
}

/** The account to which money of this transaction may be booked now, if there is any. */
export const arrivingTo = (tx: Tx): string | undefined => open.get(tx)?.user_id

/** Books the money that has come; `missing` is what the balance lacks. Returns the amount (minor units): 0 where none comes. */
export async function bookArrival(tx: Tx, missing: bigint): Promise<bigint> {
  const arriving = open.get(tx)
  open.delete(tx)
  return arriving ? arriving.book(missing) : 0n
}
