import type pg from 'pg'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { JobClass, JobKind } from './classes.ts'
import type { App } from '#foundation/server/app.ts'

export type When = { run_at?: Date; after_s?: number; key?: string; max_attempts?: number }

export type NewJob = When & { kind: JobKind; payload: Record<string, unknown> }

/** Adds the jobs of a transaction. It goes with the commit, so that a key is locked no longer than that. */
export async function insertJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  // The jobs are sorted by their keys, so that two transactions with the same ones take them in one order.
  const rows = jobs.toSorted(
    ({ key: one = '' }, { key: other = '' }) => Number(one > other) - Number(one < other),
  )
  await sql`/* with COMMIT */ select enqueue_job(name, payload::jsonb, coalesce(run_at, now() + make_interval(secs => after_s)), key,
      max_attempts, class)
    from unnest(${rows.map(({ kind }) => kind.name)}::text[], ${rows.map(({ payload }) => JSON.stringify(payload))}::text[],
      ${rows.map(({ run_at = null }) => run_at)}::timestamptz[], ${rows.map(({ after_s = 0 }) => after_s)}::float8[],
      ${rows.map(({ key = null }) => key)}::text[], ${rows.map(({ max_attempts = null }) => max_attempts)}::integer[],
      ${rows.map(({ kind }) => kind.class)}::text[])
      as job (name, payload, run_at, after_s, key, max_attempts, class)`.execute(tx)
}

// The statements below run as the owner of the schema: the application has no rights on the queue itself.

/** Makes sure that a repeated job is due within `after_s`; one that already waits or runs keeps its time. */
export async function ensureRepeated(owner: pg.Pool, kind: JobKind, after_s: number): Promise<void> {
  await owner.query(
    `insert into jobs (name, payload, run_at, key, max_attempts, class)
     values ($1, '{}', now() + make_interval(secs => $2), $3, 25, $4) on conflict (key) do nothing`,
    [kind.name, after_s, repeatKey(kind.name), kind.class],
  )
}

/** Puts a repeated job's next run `after_s` away; called when the present run ends. */
export async function repeat(owner: pg.Pool, kind: JobKind, after_s: number): Promise<void> {
  await owner.query(
    `select enqueue_job($1, '{}', clock_timestamp() + make_interval(secs => $2), $3, null, $4)`,
    [kind.name, after_s, repeatKey(kind.name), kind.class],
  )
}

const repeatKey = (name: string) => `every:${name}`

export type TakenJob = {
  id: string
  name: string
  class: JobClass
  payload: unknown
  attempts: number
  max_attempts: number
}

/** The most jobs of a kind that are taken together. */
const TOGETHER = 50

type Wish = {
  done: readonly string[]
  names: readonly string[]
  from: readonly JobClass[]
  /** The names of the jobs that go together. */
  together: readonly string[]
}

/**
 * Removes the jobs in `done`, and takes for the process the next due job of each class in `from` whose name is in `names`; returns [] where
 * none is due. A job whose name is in `together` brings other due jobs of its kind along.
 */
export async function takeJobs(
  owner: pg.Pool,
  process_id: string,
  { done, names, from, together }: Wish,
): Promise<TakenJob[]> {
  const { rows } = await owner.query<TakenJob>(
    'select id::text, name, class, payload, attempts, max_attempts from take_jobs($1, $2, $3, $4, $5, $6)',
    [process_id, done, names, from, together, TOGETHER],
  )
  return rows
}

/** Makes a job due again, after 3 s, 7 s, 20 s and so on, in the end 6 h; after its last attempt it stays as it is. */
export async function retryJob(owner: pg.Pool, process_id: string, id: string, error: string): Promise<void> {
  await owner.query(
    `update jobs set taken_by = null, taken_at = null, last_error = left($3, 2000),
       run_at = clock_timestamp() + make_interval(secs => exp(least(attempts, 10)))
     where id = $1 and taken_by = $2`,
    [id, process_id, error],
  )
}

// The first number of the advisory lock of each process; the second number is the `lock_number` of the process.
const PROCESS_LOCKS = 7_242_012

/**
 * Shows the other processes that this one lives: the connection holds an advisory lock for as long as it is open. Listens for jobs on the
 * same connection.
 */
export async function recordHeartbeat(connection: pg.Client, process_id: string): Promise<void> {
  const { rows } = await connection.query<{ lock_number: number }>(
    `insert into job_processes (id) values ($1) on conflict (id) do update set missed_at = null returning lock_number`,
    [process_id],
  )
  await connection.query('select pg_advisory_lock($1, $2)', [PROCESS_LOCKS, rows[0]?.lock_number])
  await connection.query('listen jobs')
}

/**
 * Makes the jobs due again of which the condition is true. One that was asked for again while it ran is removed: the new job stands in its
 * place (`enqueue_job` has taken the key and the attempts of the old one), so nothing is left to do, and it does not count as given up.
 */
const giveBack = (condition: string, attempts = 'attempts') => `
  with held as (select id, max_attempts = 0 as is_replaced from jobs where ${condition}),
    replaced as (delete from jobs where id in (select id from held where is_replaced))
  update jobs set taken_by = null, taken_at = null, attempts = ${attempts}
  where id in (select id from held where not is_replaced)`

/** Makes jobs due again that no known process holds: it ended, died, or was there before a restored backup. */
export async function releaseOrphanedJobs(owner: pg.Pool): Promise<void> {
  await owner.query(giveBack('taken_by is not null and taken_by not in (select id from job_processes)'))
}

/** Removes a process: the jobs that it still had taken are due again. One that dies in between leaves them to the others. */
export async function forgetProcess(owner: pg.Pool, process_id: string): Promise<void> {
  await owner.query('delete from job_processes where id = $1', [process_id])
  await releaseOrphanedJobs(owner)
}

/**
 * Makes jobs due again that were taken for this process over `lease_s` ago and are not in `held`. They never ran, so the try does not
 * count. Called between two takings, so that no answer to one is on its way but to a statement that was given up.
 */
export async function releaseLostJobs(
  owner: pg.Pool,
  process_id: string,
  { held, lease_s }: { held: readonly string[]; lease_s: number },
): Promise<void> {
  await owner.query(
    giveBack(
      'taken_by = $1 and id <> all ($2::bigint[]) and taken_at < clock_timestamp() - make_interval(secs => $3)',
      'greatest(attempts - 1, 0)',
    ),
    [process_id, held, lease_s],
  )
}

/**
 * Removes the processes whose lock was free at two checks `grace_s` apart (a single check could meet a connection that is just being
 * replaced). Returns how many there were.
 */
export async function reapDeadWorkers(owner: pg.Pool, grace_s: number): Promise<number> {
  await owner.query(
    `with looked as materialized (
       select id, pg_try_advisory_xact_lock($1, lock_number) as free from job_processes)
     update job_processes p set missed_at = case when free then coalesce(missed_at, clock_timestamp()) end
     from looked where looked.id = p.id and (missed_at is not null) <> free`,
    [PROCESS_LOCKS],
  )
  const { rowCount } = await owner.query(
    'delete from job_processes where missed_at < clock_timestamp() - make_interval(secs => $1)',
    [grace_s],
  )
  return rowCount ?? 0
}

type QueueFigure = { name: string; due: number; oldest_s: number; running: number; given_up: number }

/** The queue by kind of job. The application may call the function, though it may not read the queue. */
export async function queueFigures(db: Kysely<Database>): Promise<QueueFigure[]> {
  const { rows } = await sql<QueueFigure>`
    select name, due::int, oldest_s, running::int, given_up::int from queue_figures()`.execute(db)
  return rows
}

/** Counts the processes that hold the lock by which they show that they live, whatever their rows say. */
export async function livingProcesses(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from job_processes where not pg_try_advisory_xact_lock($1, lock_number)',
    [PROCESS_LOCKS],
  )
  return rows[0]?.count ?? 0
}

export async function countProcesses(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('job_processes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('missed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

type FailedJob = { id: bigint; name: string; attempts: number; last_error: string | null }

/** Returns the jobs that used up their attempts, the newest 100. They do not run again by themselves. */
export async function failedJobs(db: App['db']): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`select id, name, attempts, last_error from failed_jobs()`.execute(db)
  return rows
}

/** Makes a failed job due again. Returns its name; undefined if no such job has failed. */
export const retryFailedJob = (tx: Tx, id: string): Promise<string | undefined> =>
  nameOf(tx, sql<{ name: string | null }>`select retry_failed_job(${id}::bigint) as name`)

/** Deletes a failed job without doing its work. Returns its name; undefined if no such job has failed. */
export const dropFailedJob = (tx: Tx, id: string): Promise<string | undefined> =>
  nameOf(tx, sql<{ name: string | null }>`select drop_failed_job(${id}::bigint) as name`)

async function nameOf(tx: Tx, statement: RawBuilder<{ name: string | null }>): Promise<string | undefined> {
  const { rows } = await statement.execute(tx)
  return rows[0]?.name ?? undefined
}
