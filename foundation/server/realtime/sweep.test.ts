import pg from 'pg'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createDatabase } from '#tests/harness/test-app.ts'

const { url, drop } = await createDatabase()
const app = new pg.Client({ connectionString: url, options: '-c role=hostdesk_app' })
const other = new pg.Client({ connectionString: url })
await Promise.all([app.connect(), other.connect()])
afterAll(async () => {
  await Promise.all([app.end(), other.end()])
  await drop()
})

/** An event each half an hour, the newest now. */
beforeEach(async () => {
  await app.query('delete from live_events')
  await app.query(
    `
    insert into live_events (user_id, seq, type, created_at, slot)
    select gen_random_uuid(), n, 'test.said', $1::timestamptz - n * interval '30 minutes',
      live_slot($1::timestamptz - n * interval '30 minutes')
    from generate_series(0, 3) n`,
    [NOW],
  )
})
// Ten minutes into a half hour.
const NOW = '2026-03-01T12:10:00Z'

const left = async () =>
  (await app.query<{ seq: string }>('select seq from live_events order by seq')).rows.map(({ seq }) =>
    Number(seq),
  )

it('events go half hours at once: those of the last hour stay, and what comes is written elsewhere than what goes', async () => {
  await app.query('select sweep_live_events($1)', [NOW])
  expect(await left()).toEqual([0, 1, 2])
  await app.query("insert into live_events (user_id, seq, type) values (gen_random_uuid(), 10, 'test.said')")
  const { rows } = await app.query<{ part: string; expected: string }>(
    `select tableoid::regclass::text as part, 'live_events_' || live_slot(now()) as expected from live_events where seq = 10`,
  )
  expect(rows[0]?.part).toBe(rows[0]?.expected)
})

it('the sweep skips a partition in the last minute before it is written to, and one that a transaction is reading', async () => {
  await app.query("select sweep_live_events($1::timestamptz + interval '19 minutes 30 seconds')", [NOW])
  expect(await left()).toEqual([0, 1, 2, 3])
  await other.query('begin; select from live_events')
  await app.query('select sweep_live_events($1)', [NOW])
  await app.query("insert into live_events (user_id, seq, type) values (gen_random_uuid(), 10, 'test.said')")
  await other.query('commit')
  expect(await left()).toEqual([0, 1, 2, 3, 10])
})
