import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { recordLocked } from '#foundation/server/database/lock-order.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { balanceOverdrawn, balanceRose } from '#features/finance/contract.ts'
import type { Description, TransactionType } from '#features/finance/rules.ts'
import { locks } from './locks.ts'
import { PUBLISH_BALANCE } from './publish-balance.ts'
import * as queries from './ledger-queries.ts'
import { recordLowBalance, recordTransaction } from './record-events.ts'

/** The booked transaction, and the balance after it (minor units). */
export type Posted = { transaction_id: string; balance_after: bigint }

/** The VAT in an amount, in minor units, from zero to the whole amount, and the country in which the VAT is due. */
export type VatShare = { country: string; amount: bigint }

export type Movement = {
  type: TransactionType
  user_id: string
  /** Minor units, positive; the type defines the direction. */
  amount: bigint
  /** The VAT in a spending or in its refund, and the country in which the VAT is due. */
  vat?: VatShare | undefined
  /** The part of a spending or refund that is a gift: it moves what the operator gave away instead of revenue (decision 151). Sales say it. */
  gift?: bigint | undefined
  description: Description
  /** The payment provider whose account is on the other side; '' if the other side is no payment account. */
  provider?: string
  host_id?: string | null
  /** The transaction that this one takes back, in whole or in part. */
  reverses?: string
}

/**
 * Books a movement with all its sides, in the caller's transaction. The database decides: it numbers the entry, keeps the balance, and
 * refuses entries that are out of balance, not of their type, or not covered by the balance.
 */
export async function post(app: App, tx: Tx, movement: Movement): Promise<Posted> {
  const { type, user_id, amount, description, provider = '', host_id = null, reverses = null } = movement
  const { currency } = app.config
  const [sign, kind] = books[type]
  const vat = movement.vat?.amount ?? 0n
  const gift = movement.gift ?? 0n
  const none = { user_id: null, gift: 0n }
  const wanted = [
    { kind: 'customer', user_id, name: '', amount: sign * amount, gift: sign * gift },
    { ...none, kind, name: provider, amount: -sign * (amount - vat - gift) },
    { ...none, kind: 'vat', name: movement.vat?.country ?? '', amount: -sign * vat },
    { ...none, kind: 'promotions', name: '', amount: -sign * gift },
  ] as const
  const id = randomUUID()
  // Sides over nothing are left out, except the customer's: a refund may consist of VAT alone, and most movements have no VAT.
  const sides = await Promise.all(
    wanted
      .filter((side) => side.amount !== 0n || side.kind === 'customer')
      .map(async (side) => ({
        account_id: await queries.accountId(tx, { ...side, currency }),
        amount: side.amount,
        gift: side.gift,
      })),
  )
  // The trigger on the entries locks the balance, where it is not locked yet.
  recordLocked(tx, locks.balances, [user_id])
  const head = { id, type, user_id, currency, host_id, description, reverses }
  const booked = await queries.insertTransaction(tx, { ...head, sides })
  const { balance_after } = booked
  if (movement.gift !== undefined && booked.gift !== sign * gift)
    throw new Error(`a gift of ${booked.gift} was moved, and the document says ${sign * gift}`)
  // Published by a job, because a notification in this transaction would make all commits take turns.
  enqueue(tx, PUBLISH_BALANCE, { user_id }, { key: `balance:${user_id}` })
  const { created_at } = booked
  const row = { id, type, currency, amount: sign * amount, balance_after, created_at, description, host_id }
  recordTransaction(tx, user_id, row)
  if (sign > 0n) await emit(app, tx, balanceRose, { user_id, balance: balance_after })
  if (sign < 0n && balance_after < 0n) {
    recordLowBalance(app, tx, { user_id, balance: balance_after, needed: null })
    await emit(app, tx, balanceOverdrawn, { user_id })
  }
  return { transaction_id: id, balance_after }
}

// The table transaction_types holds the same rules, by which the database checks each transaction.
const books = {
  fill_balance: [1n, 'payments'],
  fill_balance_voucher: [1n, 'promotions'],
  charge_back: [-1n, 'payments'],
  spend: [-1n, 'revenue'],
  return_on_balance: [1n, 'revenue'],
  inner_spending: [-1n, 'revenue'],
  inner_refund: [1n, 'revenue'],
} as const satisfies Record<TransactionType, readonly [bigint, queries.Account['kind']]>
