import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** The bookings that moved a balance, as they are kept to move it back. Amounts in minor units, as texts; `money` is below zero for a debt. */
export type MovedBalance = {
  money: string
  gift: string
  /** The bookings that took the money, each from a payment of the account of before, and the one that gave it; none of a debt. */
  taken: { id: string; amount: string }[]
  given: string | null
  /** The booking that took the gift. */
  gift_taken: string | null
}

/**
 * True for an account with a payment that is on its way, an event of a payment that nobody has booked yet, a dispute that is not decided, or
 * a balance in another currency.
 */
export async function isUnsettled(db: App['db'], user_id: string, currency: string): Promise<boolean> {
  const { rows } = await sql<{ unsettled: boolean }>`
    select exists (select from top_ups where user_id = ${user_id}::uuid and status in ('pending', 'charged_back'))
      or exists (select from unbooked_events where user_id = ${user_id}::uuid and done_at is null)
      or exists (select from balances where user_id = ${user_id}::uuid and currency <> ${currency} and balance <> 0) as unsettled`.execute(
    db,
  )
  return rows[0]?.unsettled ?? false
}

/** The accounts in this list that have something on their balance, or owe it. */
export async function unevenBalances(
  db: App['db'],
  user_ids: readonly string[],
  currency: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from balances where user_id = any(${arrayOf(user_ids, 'uuid')}) and currency = ${currency}
      and (balance <> 0 or gift <> 0)`.execute(db)
  return new Set(rows.map(({ user_id }) => user_id))
}

export async function insertLate(tx: Tx, user_id: string, moved: MovedBalance): Promise<void> {
  await tx
    .insertInto('late_balances')
    .values({ user_id, moved: JSON.stringify(moved) })
    .execute()
}

/** Returns what an account has moved on since its merge, oldest first, and forgets it. */
export async function takeLate(tx: Tx, user_id: string): Promise<MovedBalance[]> {
  const { rows } = await sql<{ moved: MovedBalance }>`
    with gone as (delete from late_balances where user_id = ${user_id}::uuid returning id, moved)
    select moved from gone order by id`.execute(tx)
  return rows.map(({ moved }) => moved)
}
