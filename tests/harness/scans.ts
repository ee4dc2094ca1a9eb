import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { TestApp } from './test-app.ts'

/**
 * How often a read used this index, or (of a table) read all of it, where PostgreSQL avoids whole tables if it can: small tables
 * of tests would never be read by an index otherwise.
 */
export async function scansIn(
  { app }: Pick<TestApp, 'app'>,
  relation: string,
  read: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  return transaction(app, 'system', async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    // Counted by connection, and told to others now and then: what was before counts as well.
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

/** The rows of a table that this transaction has read one after the other, and the entries of its indices: the cost of a read, before and after it. */
export async function touchedRows(tx: Tx, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(pg_stat_get_xact_tuples_returned(oid)), 0)::int as count
    from (
      select ${table}::regclass::oid as oid
      union select indexrelid from pg_index where indrelid = ${table}::regclass
    ) of_table`.execute(tx)
  return must(rows[0]).count
}
