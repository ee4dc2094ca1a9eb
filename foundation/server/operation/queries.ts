import { sql } from 'kysely'
import type pg from 'pg'
import type { App } from '#foundation/server/app.ts'

/** Observations of a process, each kept with the time it was last made. */
export type Observation = 'forwarded_without_trusted_proxies'

export async function keepObservation(app: App, name: Observation): Promise<void> {
  await app.db
    .insertInto('observations')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seen_at: sql`now()` }))
    .execute()
}

/** When it was last seen; undefined where never, or where the table is still to be made. */
export async function lastObserved(client: pg.Client, name: Observation): Promise<Date | undefined> {
  const made = await client.query<{ exists: boolean }>(
    "select to_regclass('public.observations') is not null as exists",
  )
  if (!made.rows[0]?.exists) return undefined
  const seen = await client.query<{ seen_at: Date }>('select seen_at from observations where name = $1', [
    name,
  ])
  return seen.rows[0]?.seen_at
}
