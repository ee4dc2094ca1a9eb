import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Absence } from '#features/support/desk/absence-contract.ts'

type Db = Kysely<Database>

const today = (zone: string) => sql`(now() at time zone ${zone})::date`

/** Returns the absences that have not ended, by member. */
export async function absencesNow(db: Db, zone: string): Promise<Map<string, Absence>> {
  const { rows } = await sql<Absence & { staff_id: string }>`
    select staff_id, until::text, note from desk_absences where until >= ${today(zone)}`.execute(db)
  return new Map(rows.map(({ staff_id, ...absence }) => [staff_id, absence]))
}

/** Writes an absence and returns it; undefined if its last day is past, or more than a year away. */
export async function saveAbsence(
  tx: Tx,
  { staff_id, until, note }: Absence & { staff_id: string },
  zone: string,
): Promise<Absence | undefined> {
  const { rows } = await sql<Absence>`
    insert into desk_absences (staff_id, until, note)
    select ${staff_id}::uuid, ${until}::date, ${note}
    where ${until}::date between ${today(zone)} and ${today(zone)} + 366
    on conflict (staff_id) do update set until = excluded.until, note = excluded.note
    returning until::text, note`.execute(tx)
  return rows[0]
}

/** Deletes an absence and returns its last day; undefined if there was none. */
export async function deleteAbsence(tx: Tx, staff_id: string): Promise<string | undefined> {
  const { rows } = await sql<{ until: string }>`
    delete from desk_absences where staff_id = ${staff_id}::uuid returning until::text`.execute(tx)
  return rows[0]?.until
}
