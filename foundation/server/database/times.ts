// SQL fragments for days of the operator's time zone and for times to the microsecond, so that no query writes its own.
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Database } from './tables.ts'

/** The moment at which this day (2026-11-23) begins in the time zone. */
export const startOfDay = (day: string, time_zone: string): RawBuilder<Date> =>
  sql`(${day}::date)::timestamp at time zone ${time_zone}`

/** Returns the moment at which this day begins in the time zone, for code that asks nothing else of the database. */
export async function timeOfDay(db: Kysely<Database>, day: string, time_zone: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select ${startOfDay(day, time_zone)} as at`.execute(db)
  return must(rows[0]).at
}

/** The moment at which this day ends in the time zone: 23, 24 or 25 hours after its start. */
export const endOfDay = (day: string, time_zone: string): RawBuilder<Date> =>
  sql`(${day}::date + 1)::timestamp at time zone ${time_zone}`

/** The condition that a time is from the start of `first_day` to the start of `next_day`. */
export const withinDays = (
  column: RawBuilder<unknown>,
  { first_day, next_day, time_zone }: { first_day: string; next_day: string; time_zone: string },
): RawBuilder<boolean> =>
  sql`(${column} >= ${startOfDay(first_day, time_zone)} and ${column} < ${startOfDay(next_day, time_zone)})`

/** Microseconds since 1970: JavaScript's times have whole milliseconds, which do not order the rows of one transaction. */
export const microsecondsOf = (time: RawBuilder<unknown>): RawBuilder<string> =>
  sql`(extract(epoch from ${time}) * 1000000)::bigint::text`

/** The time whose microseconds `microsecondsOf` returned. */
export const timeOf = (microseconds: string): RawBuilder<Date> =>
  sql`(timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond')`
