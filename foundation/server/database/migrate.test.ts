import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createDatabase } from '#tests/harness/test-app.ts'
import { describeSchema } from '#tools/describe-schema.ts'
import { migrate, missingMigrations } from './migrate.ts'

it('database/schema.sql is the migrated database', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  expect(await describeSchema(client), 'Run `npm run schema` and commit what it writes.').toBe(
    readFileSync('database/schema.sql', 'utf8'),
  )
  expect(await missingMigrations(client)).toEqual([])
  await client.end()
  await drop()
})

it('runs once, also when two processes start at the same time', async () => {
  const { url, drop } = await createDatabase()
  await Promise.all([migrate(url), migrate(url), migrate(url)])
  await drop()
})

it('refuses a migration that was edited after it ran', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`update migrations set hash = 'other' where name = '0001_accounts.sql'`)
  await client.end()
  await expect(migrate(url)).rejects.toThrow('was changed after it ran')
  await drop()
})
