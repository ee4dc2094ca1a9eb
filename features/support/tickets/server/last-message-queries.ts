import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'

/** The number of characters of a message that are read for one line of a list. */
const LENGTH = 400

/** Returns the latest comment of each ticket, cut to `LENGTH` characters. Notes are left out, because only staff may read them. */
export async function lastCommentsOf(
  db: Kysely<Database>,
  ticket_ids: readonly bigint[],
): Promise<Map<bigint, { text: string; by_staff: boolean }>> {
  const { rows } = await sql<{ id: bigint; text: string; by_staff: boolean }>`
    select t.id, m.text, m.by_staff from unnest(${ticket_ids.map(String)}::bigint[]) as t (id)
    cross join lateral (
      select left(text, ${LENGTH}) as text, by_staff from ticket_messages
      where ticket_id = t.id and kind = 'comment' order by seq desc limit 1) m`.execute(db)
  return new Map(rows.map(({ id, text, by_staff }) => [id, { text, by_staff }]))
}
