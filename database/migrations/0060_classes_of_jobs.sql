-- Jobs have classes: mails of security go first, and no class takes the places of another. Processes of the release before
-- go on beside this one: their `take_job` and their `enqueue_job`, which knows only slow ones, stay for one release.

alter table jobs add column class text not null default 'rest';
comment on column jobs.class is 'security, replies, money, rest or heavy: see foundation/server/jobs/classes.ts';
-- The class of its template, which its job gets at each try.
alter table mails add column class text not null default 'rest';

update jobs set class = case when slow then 'heavy' else 'money' end
  where slow or name in ('look_at_licence', 'renew_now', 'mail_invoice');
update jobs set class = 'replies' where name = 'mail_new_ticket';

create function enqueue_job(name text, payload jsonb, run_at timestamptz, key text, max_attempts integer, class text)
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
    -- One that runs keeps running, but is not tried again: what was asked for now stands in its place.
    update public.jobs j set key = null, attempts = j.max_attempts
      where j.key = enqueue_job.key and j.taken_by is not null;
  end loop;
  -- A later one is found by the polls; commits that notify take turns.
  if enqueue_job.run_at <= clock_timestamp() + interval '1 second' then
    perform pg_notify('jobs', '');
  end if;
end $$;

create or replace function enqueue_job(
  name text, payload jsonb, run_at timestamptz, key text, max_attempts integer, slow boolean)
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  select public.enqueue_job(name, payload, run_at, key, max_attempts, case when slow then 'heavy' else 'rest' end)
$$;

-- Removes the jobs that the process has done, and takes for it the next due job of each class, in the order of the classes.
-- Runs with the caller's rights.
create function take_jobs(process uuid, done bigint[], names text[], classes text[])
returns setof jobs language plpgsql as $$
declare
  -- A constant: compared with the clock itself, each waiting job would be looked at.
  due constant timestamptz := clock_timestamp();
  wanted text;
begin
  delete from jobs where id = any(done) and taken_by = process;
  foreach wanted in array classes loop
    return query update jobs set taken_by = process, taken_at = due, attempts = attempts + 1
      where id = (select id from jobs where taken_by is null and class = wanted and run_at <= due
        and attempts < max_attempts and name = any(names) order by run_at, id limit 1 for update skip locked)
      returning *;
  end loop;
end $$;
