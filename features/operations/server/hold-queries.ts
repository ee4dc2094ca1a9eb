import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import { endOfDay, startOfDay } from '#foundation/server/database/times.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type Hold = { id: number; first_day: string; last_day: string; reason: string; begun_at: Date }

const columns = sql<Hold>`id, first_day::text, last_day::text, reason, begun_at`

/** Returns the holds that stand, oldest first. */
export async function presentHolds(db: Kysely<Database>): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select ${columns} from audit_holds where ended_at is null order by id`.execute(db)
  return rows
}

export async function insertHold(
  tx: Tx,
  {
    first_day,
    last_day,
    reason,
    time_zone,
  }: Pick<Hold, 'first_day' | 'last_day' | 'reason'> & { time_zone: string },
): Promise<Hold> {
  const { rows } = await sql<Hold>`
    insert into audit_holds (first_day, last_day, starts_at, ends_at, reason)
    values (${first_day}::date, ${last_day}::date, ${startOfDay(first_day, time_zone)}, ${endOfDay(last_day, time_zone)}, ${reason})
    returning ${columns}`.execute(tx)
  return must(rows[0])
}

/** Ends a hold that stands; undefined if none with this number does. */
export async function endHold(tx: Tx, id: number): Promise<Hold | undefined> {
  const { rows } = await sql<Hold>`
    update audit_holds set ended_at = now() where id = ${id} and ended_at is null returning ${columns}`.execute(
    tx,
  )
  return rows[0]
}
