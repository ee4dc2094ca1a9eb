import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createDatabase } from '#tests/harness/test-app.ts'
import { describeSchema } from '#tools/describe-schema.ts'

const folder = new URL('baseline/', import.meta.url)

/**
 * The lines in order, without what may differ: the names of the keys of partitions, which PostgreSQL gives; the parentheses of one condition,
 * which it keeps as they were written; and the mark of checks that were added to rows of before.
 */
const alike = (schema: string): string[] =>
  schema
    .replaceAll(/live_events(_\w+)?_pkey/g, 'live_events_pkey')
    .replaceAll(/when \(+(old\.price_net .*?)\)+ execute/gi, (_, text: string) =>
      text.replaceAll(/[()]/g, ''),
    )
    .replaceAll(' NOT VALID', '')
    .split('\n')
    .map((line) => line.replace(/,$/, ''))
    .toSorted()

it('the baseline makes the schema that all migrations make', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const types = async () => (await client.query('select * from transaction_types order by type')).rows
  const migrated = { schema: await describeSchema(client), types: await types() }
  await client.query(
    'drop schema public cascade; create schema public; create table migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())',
  )
  await client.query('reset search_path; set check_function_bodies = off')
  for (const file of readdirSync(folder).toSorted())
    await client.query(readFileSync(new URL(file, folder), 'utf8'))
  await client.query("select allow_app('migrations', 'select')")
  expect(alike(await describeSchema(client))).toEqual(alike(migrated.schema))
  expect(await types()).toEqual(migrated.types)
  await client.end()
  await drop()
})
