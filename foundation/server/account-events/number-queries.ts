import { sql } from 'kysely'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export async function hasWaiting(db: App['db']): Promise<boolean> {
  const { rows } = await sql`select from operator_events_waiting limit 1`.execute(db)
  return rows.length > 0
}

/** Numbers some events that wait. Returns how many; 0 also where another process does it at this moment. */
export async function numberWaiting(tx: Tx): Promise<number> {
  const { rows } = await sql<{ numbered: number }>`select number_operator_events() as numbered`.execute(tx)
  return rows[0]?.numbered ?? 0
}

/** The numbers, of these, whose events the list no longer has. */
export async function goneNumbers(
  db: App['db'],
  owner: string,
  numbers: readonly number[],
): Promise<number[]> {
  if (numbers.length === 0) return []
  const { rows } = await sql<{ seq: bigint }>`
    select seq from unnest(${arrayOf(numbers.map(String), 'bigint')}) as n (seq)
    where not exists (select from account_events e where e.user_id = ${owner}::uuid and e.seq = n.seq)`.execute(
    db,
  )
  return rows.map(({ seq }) => Number(seq))
}
