import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { touchedRows } from '#tests/harness/scans.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { ownersByHostName } from './hosts.ts'

const HOSTS = 12_000
const LIMIT = 1000

const test = await startTestApp()
const { user_id } = await signedInCustomer(test)
const admin = await superuserOf(test)
afterAll(() => admin.end())

// One host in a thousand has another name, and one in a hundred is deleted.
await admin.query('begin')
await admin.query('set local session_replication_role = replica')
await admin.query(
  `insert into hosts (public_id, user_id, name, licence_key, deleted_at)
   select lpad(n::text, 22, 'H'), $1, case when n % 1000 = 7 then 'Ärzte_' || n else 'Web-' || n end, lpad(n::text, 32, 'K'),
     case when n % 100 = 0 then now() end
   from generate_series(1, ${HOSTS}) n`,
  [user_id],
)
await admin.query('commit')
await admin.query('vacuum analyze hosts')

const found = (tx: Tx, beginning: string) => ownersByHostName(tx, beginning, LIMIT)

it.each([
  'web',
  'WEB-1',
  'web-1234',
  'web-12345',
  'ärzte',
  'ÄRZTE_1007',
  'arzte',
  'AERZTE',
  'rzte',
  'web%',
  'ärzte_',
  '_',
  'z',
  '',
])('the owners of the newest hosts whose name begins with "%s"', async (beginning) => {
  const { rows } = await admin.query<{ text: string }>(
    `select name as text from hosts where starts_with(replace(lower(name), 'ä', 'a'), $1) and deleted_at is null order by id desc limit ${LIMIT}`,
    [beginning.toLowerCase().replace(/ä|ae/, 'a')],
  )
  const owners = await transaction(test.app, 'system', (tx) => found(tx, beginning))
  expect(owners).toEqual(rows.map(({ text }) => ({ user_id, text })))
})

// This test failed while the generic plan of PostgreSQL read all hosts for a name that nobody has: 60 ms with 200,000 hosts.
it.each(['son5', 'ärzte_'])(
  'a rare beginning (%s) reads no other hosts, whatever plan is kept',
  async (beginning) => {
    const read = await transaction(test.app, 'system', async (tx) => {
      await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
      const before = await touchedRows(tx, 'hosts')
      await found(tx, beginning)
      return (await touchedRows(tx, 'hosts')) - before
    })
    expect(read).toBeLessThanOrEqual((2 * HOSTS) / 1000)
  },
)
