import * as z from 'zod/mini'
import { sql } from 'kysely'
import type pg from 'pg'
import type { App } from '#foundation/server/app.ts'

/** The names of observations that processes make. The table keeps the time of the last one of each name. */
type Observation = 'forwarded_without_trusted_proxies' | 'backup_failed'

export async function keepObservation(app: App, name: Observation): Promise<void> {
  await app.db
    .insertInto('observations')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seen_at: sql`now()` }))
    .execute()
}

/** The time of the last such observation; undefined where there was none, or where the table is still to be made. */
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

/** A value of one metric; `label` where the metric has several. */
export type FigureValue = z.output<typeof figureValue>

const figureValue = z.object({ metric: z.string(), label: z.optional(z.string()), value: z.number() })

type Db = App['db']

/** The figures that were read last, by whichever process. */
export async function lastFigures(
  db: Db,
): Promise<{ age_s: number; values: readonly FigureValue[] } | undefined> {
  const row = await db
    .selectFrom('operation_figures')
    .select(['figures', sql<number>`extract(epoch from now() - read_at)::float8`.as('age_s')])
    .where('read_at', 'is not', null)
    .executeTakeFirst()
  return row && { age_s: row.age_s, values: z.array(figureValue).parse(row.figures) }
}

/** True for the one process that is to read the figures now: nobody claimed it in the last `fresh_s` seconds. */
export async function claimReading(db: Db, fresh_s: number): Promise<boolean> {
  const { rows } = await sql`
    insert into operation_figures as f (name, claimed_at) values ('all', now())
    on conflict (name) do update set claimed_at = now()
      where f.claimed_at not between now() - make_interval(secs => ${fresh_s}) and now() returning f.name`.execute(
    db,
  )
  return rows.length > 0
}

export async function keepFigures(db: Db, values: readonly FigureValue[]): Promise<void> {
  await db
    .updateTable('operation_figures')
    .set({ figures: JSON.stringify(values), read_at: sql`now()` })
    .execute()
}

/** 1 where the database answers, else 0. */
export const isAnswering = (pool: pg.Pool): Promise<number> =>
  pool.query('select 1').then(
    () => 1,
    () => 0,
  )

/** The versions of PostgreSQL and of the schema. */
export async function versionsOf(db: Db): Promise<{ database: string; schema: string }> {
  const { rows } = await sql<{ database: string; schema: string }>`
    select current_setting('server_version') as database, schema_version() as schema`.execute(db)
  return rows[0] ?? { database: '', schema: '' }
}
