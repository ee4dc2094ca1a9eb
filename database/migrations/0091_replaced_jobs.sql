-- A job that was asked for anew while it runs is told by its attempts from one that used up all of them: when its process dies, the
-- one is removed, and the other is shown as given up.
create or replace function enqueue_job(name text, payload jsonb, run_at timestamptz, key text, max_attempts integer, class text)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  loop
    insert into public.jobs as waiting (name, payload, run_at, key, max_attempts, slow, class)
    values (enqueue_job.name, coalesce(enqueue_job.payload, '{}'), enqueue_job.run_at, enqueue_job.key,
      coalesce(enqueue_job.max_attempts, 25), enqueue_job.class = 'heavy', enqueue_job.class)
    on conflict on constraint jobs_key_key do update
      set name = excluded.name, payload = excluded.payload, run_at = excluded.run_at, slow = excluded.slow,
        class = excluded.class, max_attempts = excluded.max_attempts, attempts = 0, last_error = null
      where waiting.taken_by is null;
    exit when found;
    -- One that runs keeps running, but is not tried again: what was asked for now stands in its place, and
    -- with no attempts at all it can be told from one that used up its own.
    update public.jobs j set key = null, max_attempts = 0
      where j.key = enqueue_job.key and j.taken_by is not null;
  end loop;
  -- A later one is found by the polls; commits that notify take turns.
  if enqueue_job.run_at <= clock_timestamp() + interval '1 second' then
    perform pg_notify('jobs', '');
  end if;
end $$;
