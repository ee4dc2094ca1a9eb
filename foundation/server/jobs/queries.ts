import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type When = { run_at?: Date; after_s?: number; key?: string; max_attempts?: number; slow?: boolean }

export async function addJob(
  tx: Tx,
  name: string,
  payload: Record<string, unknown>,
  when: When,
): Promise<void> {
  const { run_at = null, after_s = 0, key = null, max_attempts = null, slow = false } = when
  await sql`select enqueue_job(${name}, ${JSON.stringify(payload)}::jsonb,
    coalesce(${run_at}::timestamptz, now() + make_interval(secs => ${after_s})), ${key}, ${max_attempts}::integer, ${slow})`.execute(
    tx,
  )
}

// What follows runs as the owner of the schema: the application has no rights on the queue itself.

/** Sees to it that a repeated job is due within `after_s`; one that already waits keeps its time. */
export async function ensureRepeated(owner: pg.Pool, name: string, after_s: number): Promise<void> {
  await owner.query(
    `select graphile_worker.add_job($1, run_at => now() + make_interval(secs => $2), job_key => $3,
       job_key_mode => 'preserve_run_at')`,
    [name, after_s, repeatKey(name)],
  )
}

/** Puts a repeated job's next run `after_s` away; said by its own run, whose key the queue then forgets. */
export async function repeat(owner: pg.Pool, name: string, after_s: number): Promise<void> {
  await owner.query(
    `select graphile_worker.add_job($1, run_at => now() + make_interval(secs => $2), job_key => $3)`,
    [name, after_s, repeatKey(name)],
  )
}

const repeatKey = (name: string) => `every:${name}`

// The first half of our advisory locks; the second is the number of the process.
const PROCESS_LOCKS = 7_242_012

/** Tells the others that the process lives, on the connection whose lock proves it for as long as it stays open. */
export async function recordHeartbeat(
  connection: pg.Client,
  process_id: string,
  worker_ids: string[],
): Promise<void> {
  const { rows } = await connection.query<{ lock_number: number }>(
    `insert into job_processes (id, worker_ids) values ($1, $2)
     on conflict (id) do update set worker_ids = excluded.worker_ids, missed_at = null returning lock_number`,
    [process_id, worker_ids],
  )
  await connection.query('select pg_advisory_lock($1, $2)', [PROCESS_LOCKS, rows[0]?.lock_number])
}

export async function nameWorkers(owner: pg.Pool, process_id: string, worker_ids: string[]): Promise<void> {
  await owner.query('update job_processes set worker_ids = $2 where id = $1', [process_id, worker_ids])
}

export async function forgetProcess(owner: pg.Pool, process_id: string): Promise<void> {
  await owner.query('delete from job_processes where id = $1', [process_id])
}

/**
 * Removes the processes whose lock was free at two looks `grace_s` apart (one look could meet a connection that is
 * just being replaced), and gives back what they had taken. Answers how many there were.
 */
export async function reapDeadWorkers(owner: pg.Pool, grace_s: number): Promise<number> {
  await owner.query(
    `with looked as materialized (
       select id, pg_try_advisory_xact_lock($1, lock_number) as free from job_processes)
     update job_processes p set missed_at = case when free then coalesce(missed_at, clock_timestamp()) end
     from looked where looked.id = p.id and (missed_at is not null) <> free`,
    [PROCESS_LOCKS],
  )
  // One statement: whoever dies here has either buried the dead and given back what they had, or neither.
  const { rows } = await owner.query<{ dead: number }>(
    `with dead as (
       delete from job_processes where missed_at < clock_timestamp() - make_interval(secs => $1) returning worker_ids)
     select (select count(*)::int from dead) as dead,
       graphile_worker.force_unlock_workers(array(select unnest(worker_ids) from dead))`,
    [grace_s],
  )
  return rows[0]?.dead ?? 0
}

/** Makes the jobs that these workers had taken due again. */
export async function releaseJobs(owner: pg.Pool, worker_ids: string[]): Promise<void> {
  if (worker_ids.length > 0)
    await owner.query('select graphile_worker.force_unlock_workers($1)', [worker_ids])
}

/** Gives back what was taken under a name that no process bears: it died before it could tell its names. */
export async function releaseOrphanedJobs(owner: pg.Pool): Promise<void> {
  await owner.query(
    `select graphile_worker.force_unlock_workers(array(
       select distinct locked_by from graphile_worker._private_jobs
       where locked_at < now() - interval '10 seconds'
         and not exists (select from job_processes p where locked_by = any(p.worker_ids))))`,
  )
}
