import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { createDatabase } from '#tests/harness/test-app.ts'
import { isUnavailable } from './unavailable.ts'
import { createDb, createPool } from './pool.ts'
import { must } from '#foundation/must.ts'

const database = await createDatabase()
const pool = createPool({ url: database.url, max: 1, acquire_timeout_ms: 30_000 })
const db = createDb(pool, 'postgres://one-host/database')
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

it('prepares each statement with values once for a connection, and runs it again and again', async () => {
  for (const id of ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002'])
    await db.selectFrom('users').select('email').where('id', '=', id).execute()
  await sql`select ${1}::int`.execute(db)
  const prepared = await sql<{ statement: string; runs: bigint }>`
    select statement, generic_plans + custom_plans as runs from pg_prepared_statements order by runs desc`.execute(
    db,
  )
  expect(prepared.rows).toEqual([
    { statement: 'select "email" from "users" where "id" = $1', runs: 2n },
    { statement: 'select $1::int', runs: 1n },
  ])
})

it('rule 33: waiting too long for a connection fails with the answer that the service is busy', async () => {
  const hurried = createPool({ url: database.url, max: 1, acquire_timeout_ms: 2_000 })
  const client = await hurried.connect()
  const error = await hurried.query('select 1').catch((caught: unknown) => caught)
  client.release()
  await hurried.end()
  expect(isUnavailable(error)).toBe(true)
})

it('rule 34: a connection that breaks while it is in use fails its statement, and nothing more', async () => {
  const lent = await pool.connect()
  const { rows } = await lent.query<{ pid: number }>('select pg_backend_pid() as pid')
  const waiting = lent.query('select pg_sleep(5)').catch((caught: unknown) => caught)
  const ended = new Promise<void>((resolve) => lent.once('end', () => resolve()))
  const other = createPool({ url: database.url, max: 1, acquire_timeout_ms: 5_000 })
  await other.query('select pg_terminate_backend($1)', [must(rows[0]).pid])
  await other.end()
  expect(isUnavailable(await waiting)).toBe(true)
  await ended
  lent.release()
  const again = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  expect(must(again.rows[0]).pid).not.toBe(must(rows[0]).pid)
})
