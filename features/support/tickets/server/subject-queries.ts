import { sql, type Kysely } from 'kysely'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Database } from '#foundation/server/database/tables.ts'

/** The subjects of the tickets among these (public ids) that a person owns, or of all for a member of staff. */
export async function subjectsFor(
  db: Kysely<Database>,
  { user_id, is_staff }: { user_id: string; is_staff: boolean },
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ public_id: string; subject: string }>`
    select public_id, subject from tickets
    where public_id = any (${arrayOf([...new Set(ids)], 'text')}) and (user_id = ${user_id} or ${is_staff})`.execute(
    db,
  )
  return new Map(rows.map(({ public_id, subject }) => [public_id, subject]))
}
