-- Figures about the whole installation, read by one process for all of them. Owned by foundation/server/operation.
create table operation_figures (
  -- One row.
  name text primary key,
  -- A process that takes the reading upon itself writes the time first, so that no other reads meanwhile.
  claimed_at timestamptz not null,
  read_at timestamptz,
  figures jsonb
);
select allow_app('operation_figures', 'select, insert, update');

-- The application has no rights on the queue; how much is in it, it may know. Only what is due is counted, and at most
-- 100,000 jobs: the rest waits for its time, and there is as much of it as there are customers.
create function queue_figures() returns table (name text, due bigint, oldest_s double precision, running bigint, given_up bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select figure.name, sum(figure.due)::bigint, greatest(max(figure.oldest_s), 0), sum(figure.running)::bigint, sum(figure.given_up)::bigint
  from (
    select due.name, count(*) as due, extract(epoch from clock_timestamp() - min(due.run_at))::double precision as oldest_s,
      0 as running, 0 as given_up
    from (select j.name, j.run_at from public.jobs j
      where j.taken_by is null and j.run_at <= now() and j.attempts < j.max_attempts limit 100000) due group by due.name
    union all
    select j.name, 0, 0, count(*), 0 from public.jobs j where j.taken_by is not null group by j.name
    union all
    select j.name, 0, 0, 0, count(*) from public.jobs j
    where j.taken_by is null and j.attempts >= j.max_attempts group by j.name
  ) figure group by figure.name
$$;
