import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { TestApp } from './test-app.ts'

/**
 * Returns how often a read scanned this index, or this table as a whole. PostgreSQL is set to avoid whole tables if it can: it would
 * never read the small tables of tests by an index otherwise.
 */
export async function scansIn(
  { app }: Pick<TestApp, 'app'>,
  relation: string,
  read: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  return transaction(app, 'system', async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    // The connection keeps a count until PostgreSQL flushes it to its statistics, so the count may include earlier scans.
    const count = async () => {
      const { rows } = await sql<{ scans: number }>`
        select pg_stat_get_xact_numscans(${relation}::regclass)::int as scans`.execute(tx)
      return rows[0]?.scans ?? 0
    }
    const before = await count()
    await read(tx)
    return (await count()) - before
  })
}

/** Returns the rows of a table, and the entries of its indices, that this transaction has scanned: call it before and after a read. */
export async function touchedRows(tx: Tx, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(pg_stat_get_xact_tuples_returned(oid)), 0)::int as count
    from (
      select ${table}::regclass::oid as oid
      union select indexrelid from pg_index where indrelid = ${table}::regclass
    ) of_table`.execute(tx)
  return must(rows[0]).count
}
