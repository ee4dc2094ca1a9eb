import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Completes paid periods that the previous release has written, at most `most` at once. Returns the number of completed periods. */
export async function fillPeriods(tx: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ filled: number }>`select fill_periods(${most}) as filled`.execute(tx)
  return must(rows[0]).filled
}
