-- The queue becomes a table of ours, so that it is saved with a backup, locked by the process that shows its life, and
-- needs no package. The application may ask for a job by one function, and has no rights on the table.

create table jobs (
  id bigint generated always as identity primary key,
  name text not null,
  payload jsonb not null,
  -- Of several that were asked for under one key, the last one stands.
  key text unique,
  run_at timestamptz not null,
  -- Counted when it is taken, so that a job that kills its process is given up in the end.
  attempts integer not null default 0,
  max_attempts integer not null,
  -- Jobs of seconds: one of a name at a time, and only when nothing else waits.
  slow boolean not null,
  -- The process (`job_processes.id`) that does it now.
  taken_by uuid,
  taken_at timestamptz,
  last_error text
);
create index jobs_waiting on jobs (slow, run_at, id) where taken_by is null;
create index jobs_taken on jobs (taken_by) where taken_by is not null;

create or replace function enqueue_job(
  name text, payload jsonb, run_at timestamptz, key text, max_attempts integer, slow boolean)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  loop
    insert into public.jobs as waiting (name, payload, run_at, key, max_attempts, slow)
    values (enqueue_job.name, coalesce(enqueue_job.payload, '{}'), enqueue_job.run_at, enqueue_job.key,
      coalesce(enqueue_job.max_attempts, 25), enqueue_job.slow)
    on conflict on constraint jobs_key_key do update
      set name = excluded.name, payload = excluded.payload, run_at = excluded.run_at, slow = excluded.slow,
        max_attempts = excluded.max_attempts, attempts = 0, last_error = null
      where waiting.taken_by is null;
    exit when found;
    -- One that runs keeps running, but is not tried again: what was asked for now stands in its place.
    update public.jobs j set key = null, attempts = j.max_attempts
      where j.key = enqueue_job.key and j.taken_by is not null;
  end loop;
  perform pg_notify('jobs', '');
end $$;

-- Takes the next due job for a process; no row where nothing is due. Runs with the caller's rights.
create function take_job(process uuid, names text[]) returns setof jobs language plpgsql as $$
begin
  return query update jobs set taken_by = process, taken_at = clock_timestamp(), attempts = attempts + 1
    where id = (select id from jobs where taken_by is null and not slow and run_at <= clock_timestamp()
      and attempts < max_attempts and name = any(names) order by run_at, id limit 1 for update skip locked)
    returning *;
  if found then return; end if;
  -- Two that look at once would both find that no other of the name runs.
  perform pg_advisory_xact_lock(7242013);
  return query update jobs set taken_by = process, taken_at = clock_timestamp(), attempts = attempts + 1
    where id = (select id from jobs waiting where taken_by is null and slow and run_at <= clock_timestamp()
      and attempts < max_attempts and name = any(names)
      and not exists (select from jobs other where other.slow and other.name = waiting.name and other.taken_by is not null)
      order by run_at, id limit 1 for update skip locked)
    returning *;
end $$;

do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    insert into jobs (name, payload, key, run_at, attempts, max_attempts, slow)
      select t.identifier, j.payload::jsonb, j.key, j.run_at, j.attempts, j.max_attempts, j.job_queue_id is not null
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id;
    drop schema graphile_worker cascade;
  end if;
end $$;

-- A process takes jobs under its own id.
alter table job_processes drop column worker_ids;
