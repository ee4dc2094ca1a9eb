import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { openAllocations } from './allocation-queries.ts'

type Db = App['db']

/** A bank transfer in the form in which it is compared with bank statements. `id` is the public id, `amount` in minor units. */
export type BankTransfer = {
  id: string
  user_id: string
  reference: string
  amount: bigint
  created_at: Date
  paid: boolean
}

const transfers = sql`
  select t.public_id as id, t.user_id, t.reference, t.amount, t.created_at,
    exists (select from payment_events p where p.top_up_id = t.id and p.kind = 'paid' and p.transaction_id is not null) as paid
  from top_ups t where t.provider = 'bank'`

/** The transfers with these references. */
export async function transfersNamed(db: Db, references: readonly string[]): Promise<BankTransfer[]> {
  if (references.length === 0) return []
  const { rows } =
    await sql<BankTransfer>`${transfers} and t.reference = any(${[...references]}::text[])`.execute(db)
  return rows
}

/** The transfers with these public ids. */
export async function transfersCalled(db: Db, ids: readonly string[]): Promise<BankTransfer[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BankTransfer>`${transfers} and t.public_id = any(${[...ids]}::text[])`.execute(
    db,
  )
  return rows
}

/** Returns the unpaid transfers of these customers, including cancelled and expired transfers, newest first. */
export async function transfersOf(db: Db, user_ids: readonly string[]): Promise<BankTransfer[]> {
  if (user_ids.length === 0) return []
  const { rows } = await sql<BankTransfer>`
    select * from (${transfers} and t.user_id = any(${[...user_ids]}::uuid[])
      and t.status in ('pending', 'expired', 'cancelled', 'failed')) as unpaid
    where not paid order by created_at desc limit 1000`.execute(db)
  return rows
}

/** Returns the references of transfers that may still arrive, to find mistyped references: the newest 20,000 at most. */
export async function waitingReferences(db: Db): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select reference from top_ups where provider = 'bank' and status in ('pending', 'expired')
    order by id desc limit 20000`.execute(db)
  return rows.map(({ reference }) => reference)
}

/** Returns the money of a transfer that was not charged back, in minor units. */
export async function leftOf(tx: Tx, top_up_id: bigint): Promise<bigint> {
  const pieces = await openAllocations(tx, top_up_id, 'fill_balance')
  return pieces.reduce((sum, { left }) => sum + left, 0n)
}
