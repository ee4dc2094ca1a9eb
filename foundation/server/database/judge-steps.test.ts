import pg from 'pg'
import { expect, it } from 'vitest'
import { createDatabase } from '#tests/harness/test-app.ts'
import { refusalOf } from './judge-steps.ts'
import { inspectMigrations, migrate } from './migrate.ts'

const ours = ['baseline', '0001_a.sql', '0003_c.sql'].map((name) => ({ name, text: '', hash: `of ${name}` }))
const ran = (...names: string[]) => names.map((name) => ({ name, hash: `of ${name}` }))
const ALL = ['baseline', '0001_a.sql', '0003_c.sql']
const edited = (name: string) => ran(...ALL).map((step) => (step.name === name ? { name, hash: 'x' } : step))

it.each([
  ['is current', ran(...ALL)],
  ['has yet to run some', ran('baseline')],
  ['has yet to run one in the middle, which landed late', ran('baseline', '0003_c.sql')],
  ['is a backup without hashes', ALL.map((name) => ({ name }))],
])('reads what %s', (_, steps) => {
  expect(refusalOf('database', steps, ours)).toBeUndefined()
})

it.each([
  ['it did not begin with the baseline of this release', edited('baseline')],
  ['it did not begin with the baseline of this release', ran('0001_accounts.sql')],
  ['it has 0002_gone.sql, which is unknown here', ran(...ALL, '0002_gone.sql')],
  ['it has 0002_gone.sql, which is unknown here', ran('baseline', '0002_gone.sql')],
  ['it has 0002_gone.sql, which is unknown here', ran(...ALL, '0002_gone.sql', '0004_new.sql')],
  ['its 0001_a.sql has another text than that of this release', edited('0001_a.sql')],
  ['its 0001_a.sql has another text than that of this release', [...edited('0001_a.sql'), ...ran('0004_d')]],
  ['it has 0004_new.sql, but not 0001_a.sql', ran('baseline', '0003_c.sql', '0004_new.sql')],
])('refuses another commit, also where a newer database is accepted: %s', (why, steps) => {
  const line = `The database was made by another commit, which this release does not read: ${why}. Start the commit that made it, or`
  expect(refusalOf('database', steps, ours)).toContain(line)
  expect(refusalOf('database', steps, ours, { acceptNewer: true })).toContain(line)
  expect(refusalOf('backup', steps, ours)).toBe(
    `The backup was made by another commit, which this release does not read: ${why}. Restore it with the commit that made it.`,
  )
})

it('refuses a newer one, unless the operator goes back on purpose', () => {
  const steps = ran(...ALL, '0004_new.sql')
  const line = 'is newer than this release: it has 0004_new.sql, this release ends with 0003_c.sql. '
  expect(refusalOf('database', steps, ours)).toContain(`The database ${line}Start the newer release, or`)
  expect(refusalOf('database', steps, ours, { acceptNewer: true })).toBeUndefined()
  expect(refusalOf('backup', steps, ours)).toBe(`The backup ${line}Restore it with the newer release.`)
})

it('a start refuses in one line, and changes nothing', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const refused = async (line: string, acceptNewer = false) => {
    await expect(migrate(url, { acceptNewer })).rejects.toMatchObject({
      name: 'ConfigError',
      lines: [expect.stringContaining(line)],
    })
    expect((await inspectMigrations(client, { acceptNewer })).refusal).toContain(line)
  }
  await client.query(`insert into migrations (name, hash) values ('9999_of_tomorrow.sql', 'x')`)
  await refused('The database is newer than this release: it has 9999_of_tomorrow.sql, ')
  await expect(migrate(url, { acceptNewer: true })).resolves.toBeUndefined()
  const known = `update migrations set hash = 'x' || hash where name = '0001_first_page.sql'`
  await client.query(`${known} and hash not like 'x%'`)
  await refused('its 0001_first_page.sql has another text', true)
  await client.query(`update migrations set hash = substr(hash, 2) where name = '0001_first_page.sql'`)
  await client.query(`insert into migrations (name, hash) values ('0002_gone.sql', 'x')`)
  await refused('it has 0002_gone.sql, which is unknown here', true)
  await client.query(`delete from migrations where name = '0002_gone.sql' or name ~ '^(018|9)'`)
  expect(await inspectMigrations(client, { acceptNewer: false })).toMatchObject({ refusal: undefined })
  await client.query(`update migrations set hash = 'x' where name = 'baseline'`)
  await refused('it did not begin with the baseline of this release', true)
  await client.end()
  await drop()
})

it('a start refuses a database of others, and its own without a record, in one line, and changes nothing', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const refused = async (what: string) => {
    const line = `The database is not empty and not Hostdesk's: it holds ${what}, and no record of migrations.`
    await expect(migrate(url, { acceptNewer: true })).rejects.toMatchObject({
      name: 'ConfigError',
      lines: [expect.stringContaining(line)],
    })
  }
  await client.query('delete from migrations')
  await refused('table acceptances')
  await client.query('drop table migrations')
  await refused('table acceptances')
  await client.query('drop schema public cascade; create schema public')
  await client.query('create collation people_order from "C"')
  await refused('collation people_order')
  await client.query('drop collation people_order; create table migrations (id int, migration text)')
  await refused('table migrations')
  const { rows } = await client.query("select from pg_class where relnamespace = 'public'::regnamespace")
  expect(rows).toHaveLength(1)
  await client.query(
    'drop table migrations; create function user_lookup() returns int language sql as $$ select 1 $$',
  )
  await expect(migrate(url)).resolves.toBeUndefined()
  await client.end()
  await drop()
})

it('a backup of another commit is refused before anything is made', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  for (const only of [[], [{ name: '0001_accounts.sql' }], [{ name: 'baseline', hash: 'x' }]])
    await expect(migrate(url, { only })).rejects.toThrow('The backup was made by another commit')
  const { rows } = await client.query("select from pg_class where relnamespace = 'public'::regnamespace")
  expect(rows).toEqual([])
  await client.end()
  await drop()
})
