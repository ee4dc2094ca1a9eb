-- What staff see and do about jobs that used up their attempts. The application has no rights on the queue itself.

-- Without the payload: it may hold keys.
create function failed_jobs() returns table (id bigint, name text, attempts integer, last_error text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select j.id, j.name, j.attempts, j.last_error from public.jobs j
  where j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts order by j.id desc limit 100
$$;

-- Makes a failed job due at once, with all its attempts. Answers its name; null where no such job has failed.
create function retry_failed_job(job_id bigint) returns text
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select pg_notify('jobs', '');
  update public.jobs j set attempts = 0, run_at = clock_timestamp()
  where j.id = job_id and j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts returning j.name
$$;

create function drop_failed_job(job_id bigint) returns text
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from public.jobs j
  where j.id = job_id and j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts returning j.name
$$;

-- The newest migration that ran.
create function schema_version() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select max(name) from public.migrations
$$;
