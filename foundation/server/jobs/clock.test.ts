import pg from 'pg'
import { expect, it } from 'vitest'
import { jobsDueTooLate, shortenWaits } from './clock-queries.ts'
import { createDatabase } from '#tests/harness/test-app.ts'

it('a clock that ran ahead and came back leaves no job due later than it waits by itself, and other times as they are', async () => {
  const { url, drop } = await createDatabase()
  const owner = new pg.Pool({ connectionString: url, max: 1 }).on('error', () => {})
  await owner.query(`insert into jobs (name, payload, run_at, key, attempts, max_attempts, class) values
    ('sweep', '{}', now() + interval '1 year', 'every:sweep', 0, 25, 'rest'),
    ('backup', '{}', now() + interval '250 seconds', 'every:backup', 0, 25, 'heavy'),
    ('renewal', '{}', now() + interval '365 days', 'licence:1', 0, 25, 'money'),
    ('failed', '{}', now() + interval '1 hour', null, 2, 25, 'money'),
    ('given_up', '{}', now() + interval '1 hour', null, 25, 25, 'money')`)
  await owner.query(`insert into jobs (name, payload, run_at, attempts, max_attempts, class, taken_by, taken_at)
    values ('orphan', '{}', now(), 1, 25, 'rest', gen_random_uuid(), now() + interval '1 hour')`)
  const repeated = [
    { name: 'sweep', every_s: 60 },
    { name: 'backup', every_s: 300 },
  ]
  const late = async () => (await jobsDueTooLate(owner, repeated)).map(({ name }) => name)
  expect(await late()).toEqual(['sweep', 'failed'])
  expect(await shortenWaits(owner, repeated)).toBe(2)
  expect(await late()).toEqual([])
  const { rows } = await owner.query<{ name: string; due_s: number; taken_s: number | null }>(`
    select name, round(extract(epoch from run_at - now()) / 10)::int * 10 as due_s,
      round(extract(epoch from taken_at - now()) / 10)::int as taken_s from jobs order by id`)
  expect(rows.map(({ name, due_s, taken_s }) => [name, due_s, taken_s])).toEqual([
    ['sweep', 60, null],
    ['backup', 250, null],
    ['renewal', 365 * 86_400, null],
    ['failed', 10, null],
    ['given_up', 3600, null],
    ['orphan', 0, 0],
  ])
  await owner.end()
  await drop()
})
