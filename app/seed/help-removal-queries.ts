import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/**
 * Withdraws the articles with these addresses that are still as the demo wrote and published them, each edit of which counts its `version` up.
 * Returns how many. They stay as texts of which the staff may make their own.
 */
export async function withdrawUnchanged(tx: Tx, slugs: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update help_articles set is_published = false
    where slug = any(${[...slugs]}::text[]) and is_published and revision = 1 and version = 2 and changed_by is null
    returning id`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`delete from help_stems where article_id = any(${ids}::uuid[])`.execute(tx)
  return ids.length
}
