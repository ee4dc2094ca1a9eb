import { readdirSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { migrate } from '#foundation/server/database/migrate.ts'
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
