import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Completes paid periods that the release before has written; returns how many there were, `most` at once. */
export async function fillPeriods(tx: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ filled: number }>`select fill_periods(${most}) as filled`.execute(tx)
  return must(rows[0]).filled
}
