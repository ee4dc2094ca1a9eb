import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createDatabase } from '#tests/harness/test-app.ts'
import { describeSchema, FOLDER } from '#tools/describe-schema.ts'
import { migrate, missingMigrations } from './migrate.ts'
import { runMigration } from './run-migration.ts'

it('the files of database/schema are the migrated database, each in that of its owner', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const written = globSync(`${FOLDER}/*`).map((file) => [file, readFileSync(file, 'utf8')] as const)
  expect(new Map(written), 'Run `npm run schema` and commit what it writes.').toEqual(
    await describeSchema(client),
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

it('kill -9 in the middle of a migration leaves nothing of it, and the next start does all of it: what was there stays', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await migrate(url, { only: [{ name: 'baseline' }] })
  await client.query(
    `set app.actor = 'system'; insert into users (email, locale) values ('ann@example.com', 'de')`,
  )
  const of = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows
  const columns = `select from pg_attribute where attrelid = 'users'::regclass and attname = 'first_page' and not attisdropped`
  const ran = 'select name from migrations order by ran_at'
  // The migration has changed the table, and waits to record that.
  await client.query('begin; lock table migrations in share mode')
  const child = spawn(process.execPath, ['--input-type=module', '-e', MIGRATE, url], { stdio: 'inherit' })
  const locked = `select from pg_locks where relation = 'users'::regclass and mode = 'AccessExclusiveLock' and granted`
  await expect.poll(() => of(locked)).toHaveLength(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await client.query('commit')
  await expect.poll(() => of(locked)).toHaveLength(0)
  expect([await of(columns), await of(ran)]).toEqual([[], [{ name: 'baseline' }]])
  await migrate(url)
  expect((await of(ran)).slice(0, 2)).toEqual([{ name: 'baseline' }, { name: '0001_first_page.sql' }])
  expect(await of('select email, locale, first_page from users')).toEqual([
    { email: 'ann@example.com', locale: 'de', first_page: 'servers' },
  ])
  await client.end()
  await drop()
})

const MIGRATE = `
  import { migrate } from '#foundation/server/database/migrate.ts'
  await migrate(process.argv[1])
`

const WAITING = { limit_s: 3, word_s: 1, say: () => {} }

it('rule 50: waits for another that migrates with a word, and gives up after a limit', async () => {
  const { url, drop } = await createDatabase()
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('select pg_advisory_lock(7242011)')
  const said: string[] = []
  await expect(
    migrate(url, { waiting: { ...WAITING, say: (line) => void said.push(line) } }),
  ).rejects.toThrow('another process migrates the database')
  expect(said[0]).toMatch('another process migrates the database')
  await other.end()
  await expect(migrate(url)).resolves.toBeUndefined()
  await drop()
})

it('a migration that does not get its lock lets the others go on, and tries again', async () => {
  const { url, drop } = await createDatabase()
  const other = new pg.Client({ connectionString: url })
  const mine = new pg.Client({ connectionString: url })
  await Promise.all([other.connect(), mine.connect()])
  await other.query('begin; select from plans')
  const wish = { name: '9998_a.sql', text: 'alter table plans add column test_only text', hash: 'x' }
  await expect(runMigration(mine, wish, WAITING)).rejects.toThrow('9998_a.sql needs a lock that others hold')
  await other.query('commit')
  await runMigration(mine, wish, WAITING)
  expect((await mine.query('select test_only from plans')).fields).toHaveLength(1)
  await Promise.all([other.end(), mine.end()])
  await drop()
})

it('rule 50: a migration that meets a transaction crosswise is undone, lets it finish, and tries again', async () => {
  const { url, drop } = await createDatabase()
  const clients = Array.from({ length: 3 }, () => new pg.Client({ connectionString: url }))
  const [mine, other, gate] = clients as [pg.Client, pg.Client, pg.Client]
  await Promise.all(clients.map((client) => client.connect()))
  await gate.query('create table test_only_gate ()')
  await other.query('begin; select from plans')
  const text = `
    alter table hosts add column test_only text;
    do $$ begin while not exists (select from test_only_gate) loop perform pg_sleep(0.05); end loop; end $$;
    alter table plans add column test_only text`
  const migrated = runMigration(mine, { name: '9998_a.sql', text, hash: 'x' }, { ...WAITING, limit_s: 60 })
  const holds = `select from pg_locks where relation = 'hosts'::regclass and mode = 'AccessExclusiveLock'`
  await expect.poll(async () => (await gate.query(holds)).rowCount).toBe(1)
  const crossing = other.query('select from hosts; commit')
  // A waiting session looks for a deadlock once, after a second. `other` has then looked and found none, so that the migration, which waits
  // later, finds the deadlock and is undone.
  const has_looked = `select from pg_locks where not granted and clock_timestamp() - waitstart > interval '2 s'`
  await expect.poll(async () => (await gate.query(has_looked)).rowCount).toBe(1)
  await gate.query('insert into test_only_gate default values')
  await Promise.all([migrated, crossing])
  expect((await mine.query('select test_only from hosts')).fields).toHaveLength(1)
  await Promise.all(clients.map((client) => client.end()))
  await drop()
})

it('an index outside a transaction is made beside writers, and again where a kill has left half of one', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const text =
    '-- outside a transaction\n-- Why.\ncreate index concurrently test_only_index on test_only (one, other);\n'
  await client.query(
    'create table test_only (one int, other int); insert into test_only values (1, 1), (1, 2)',
  )
  const half = 'create unique index concurrently test_only_index on test_only (one)'
  await expect(client.query(half)).rejects.toThrow('could not create unique index')
  await runMigration(client, { name: '9998_a.sql', text, hash: 'x' }, WAITING)
  const { rows } = await client.query(
    `select indisvalid as valid, indnatts as columns from pg_index where indexrelid = 'test_only_index'::regclass`,
  )
  expect(rows).toEqual([{ valid: true, columns: 2 }])
  const other = { name: '9999_b.sql', text: '-- outside a transaction\ndrop table test_only;', hash: 'x' }
  await expect(runMigration(client, other, WAITING)).rejects.toThrow('only an index')
  await client.end()
  await drop()
})
