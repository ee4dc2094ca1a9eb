import { readdirSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { migrate } from '#foundation/server/database/migrate.ts'
import { jobsDueTooLate, shortenWaits } from './clock-queries.ts'
import { createDatabase } from '#tests/harness/test-app.ts'

it('jobs that wait in the queue of a former release move into ours', async () => {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  const earlier = readdirSync('database/migrations').filter((name) => name < '0058')
  await migrate(url, { only: earlier })
  // The columns of graphile-worker 0.18 that the migration reads.
  await client.query(`create schema graphile_worker;
    create table graphile_worker._private_tasks (id int, identifier text);
    create table graphile_worker._private_jobs
      (id bigint, job_queue_id int, task_id int, payload json, run_at timestamptz, attempts int, max_attempts int, key text);
    insert into graphile_worker._private_tasks values (1, 'check_licence'), (2, 'make_documents');
    insert into graphile_worker._private_jobs values
      (7, null, 1, '{"host":"1"}', '2030-01-02T00:00:00Z', 2, 25, 'licence:1'),
      (8, 3, 2, '{}', '2030-01-03T00:00:00Z', 0, 5, null)`)
  await migrate(url)
  const { rows } = await client.query(
    'select name, payload, key, run_at, attempts, max_attempts, slow, taken_by from jobs order by run_at',
  )
  expect(rows).toEqual([
    {
      name: 'check_licence',
      payload: { host: '1' },
      key: 'licence:1',
      run_at: new Date('2030-01-02T00:00:00Z'),
      attempts: 2,
      max_attempts: 25,
      slow: false,
      taken_by: null,
    },
    expect.objectContaining({ name: 'make_documents', key: null, max_attempts: 5, slow: true }),
  ])
  expect((await client.query(`select to_regnamespace('graphile_worker') as gone`)).rows).toEqual([
    { gone: null },
  ])
  await client.end()
  await drop()
})

it('a clock that ran ahead and came back leaves no job due later than it waits by itself, and other times as they are', async () => {
  const { url, drop } = await createDatabase()
  const owner = new pg.Pool({ connectionString: url, max: 1 }).on('error', () => {})
  await owner.query(`insert into jobs (name, payload, run_at, key, attempts, max_attempts, slow, class) values
    ('sweep', '{}', now() + interval '1 year', 'every:sweep', 0, 25, false, 'rest'),
    ('backup', '{}', now() + interval '250 seconds', 'every:backup', 0, 25, false, 'heavy'),
    ('renewal', '{}', now() + interval '365 days', 'licence:1', 0, 25, false, 'money'),
    ('failed', '{}', now() + interval '1 hour', null, 2, 25, false, 'money'),
    ('given_up', '{}', now() + interval '1 hour', null, 25, 25, false, 'money')`)
  await owner.query(`insert into jobs (name, payload, run_at, attempts, max_attempts, slow, class, taken_by, taken_at)
    values ('orphan', '{}', now(), 1, 25, false, 'rest', gen_random_uuid(), now() + interval '1 hour')`)
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
