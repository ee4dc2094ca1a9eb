import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Returns the names of what this installation does without. */
export async function waivedItems(db: Kysely<Database>): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('setup_waived').select('item').execute()
  return new Set(rows.map(({ item }) => item))
}

/** Keeps or forgets that an installation does without something. Returns false if it was so before. */
export async function putWaived(tx: Tx, item: string, waived: boolean): Promise<boolean> {
  const { numAffectedRows } = waived
    ? await sql`insert into setup_waived (item) values (${item}) on conflict do nothing`.execute(tx)
    : await sql`delete from setup_waived where item = ${item}`.execute(tx)
  return numAffectedRows === 1n
}
