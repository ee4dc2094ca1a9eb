import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'

/** Returns the tags that some ticket has, by name. Each is looked up in the index tickets_by_tag. */
export async function tagsInUse(db: Kysely<Database>): Promise<{ name: string }[]> {
  const { rows } = await sql<{ name: string }>`
    select name from ticket_tags
    where exists (select from tickets where tags <> '{}' and tags @> array[ticket_tags.name]) order by name`.execute(
    db,
  )
  return rows
}
