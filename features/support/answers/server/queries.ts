import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Priority } from '#features/support/tickets/rules.ts'
import type { Open } from '#features/support/answers/rules.ts'

type Db = Kysely<Database>

export type Calendar = {
  zone: string
  hours: (Open | null)[]
  /** The names of the holidays by their days. */
  holidays: Record<string, string>
  version: number
}

export type Target = {
  edition: string | null
  priority: Priority
  first_minutes: number | null
  next_minutes: number | null
}

export async function calendarOf(db: Db): Promise<Calendar> {
  const { rows } = await sql<Calendar>`
    select zone, hours, holidays, version from answer_calendar`.execute(db)
  return must(rows[0])
}

/** Returns the targets of all others first, then by edition. */
export async function targetsOf(db: Db): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select edition, priority, first_minutes, next_minutes from answer_targets
    order by edition nulls first, priority`.execute(db)
  return rows
}

/** True for a name that the database knows: the trigger of each ticket computes with it. */
export async function isZone(db: Db, zone: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${zone}`.execute(db)
  return rows.length > 0
}

/** Writes the calendar as it is from now on; its version rises with each change, also with one of the targets. */
export async function writeCalendar(
  tx: Tx,
  { zone, hours, holidays }: Pick<Calendar, 'zone' | 'hours' | 'holidays'>,
): Promise<void> {
  await sql`update answer_calendar set zone = ${zone}, hours = ${JSON.stringify(hours)}::jsonb,
    holidays = ${JSON.stringify(holidays)}::jsonb, version = version + 1, changed_at = now()`.execute(tx)
}

export async function writeTargets(
  tx: Tx,
  edition: string | null,
  items: readonly Omit<Target, 'edition'>[],
): Promise<void> {
  await sql`delete from answer_targets where edition is not distinct from ${edition}`.execute(tx)
  for (const { priority, first_minutes, next_minutes } of items)
    await sql`insert into answer_targets (edition, priority, first_minutes, next_minutes)
      values (${edition}, ${priority}, ${first_minutes}, ${next_minutes})`.execute(tx)
}
