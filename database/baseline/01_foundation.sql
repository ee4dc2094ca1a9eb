-- The application runs as a role that neither owns the tables nor bypasses row-level security. Where the operator's
-- database user may not create roles, the application runs as that user; FORCE below binds it all the same.
do $$
begin
  if not exists (select from pg_roles where rolname = 'hostdesk_app')
     and (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) then
    create role hostdesk_app nologin;
    -- Since PostgreSQL 16 the maker of a role may grant it, but not become it, unless he grants it to himself.
    if not (select rolsuper from pg_roles where rolname = current_user) then
      execute format('grant hostdesk_app to %I', current_user);
    end if;
  end if;
exception
  when duplicate_object or unique_violation then null;  -- another database of this cluster was faster
end $$;

create collation people_order (provider = icu, locale = 'und-u-kn-true-ks-level2', deterministic = false);

-- For whom the transaction writes: a user's id, 'system', or nobody (then no row may be written).
create function actor_owns(owner uuid) returns boolean language sql stable as $$
  select current_setting('app.actor', true) in ('system', owner::text)
$$;

-- The helper for whom this transaction writes the owner's rows.
create function acts_as(person uuid) returns boolean language sql stable as $$
  select coalesce(current_setting('app.person', true) = person::text, false)
$$;

-- For which payer the transaction writes (docs/decisions/106).
create function payer_owns(owner uuid) returns boolean language sql stable as $$
  select coalesce(current_setting('app.payer', true) = owner::text, false)
$$;

-- Gives the application exactly the named rights on a table.
create function allow_app(table_name text, rights text) returns void language plpgsql as $$
begin
  if exists (select from pg_roles where rolname = 'hostdesk_app') then
    execute format('grant %s on %I to hostdesk_app', rights, table_name);
  end if;
end $$;

-- Reads are filtered by owner in queries.ts; writes are checked here a second time (see docs/decisions).
create function protect_rows(table_name text, owner_column text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', table_name);
  execute format('alter table %I force row level security', table_name);
  execute format('create policy readable on %I for select using (true)', table_name);
  execute format('create policy inserted_by_owner on %I for insert with check (actor_owns(%I))', table_name, owner_column);
  execute format('create policy updated_by_owner on %I for update using (actor_owns(%I)) with check (actor_owns(%I))',
    table_name, owner_column, owner_column);
  execute format('create policy deleted_by_owner on %I for delete using (actor_owns(%I))', table_name, owner_column);
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Rows of the table are added, and never changed or deleted.
create function append_only(table_name text) returns void language plpgsql as $$
begin
  execute format('create trigger %I before delete or update on %I for each row execute function refuse_change()',
    table_name || '_are_append_only', table_name);
  execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
    table_name || '_are_not_truncated', table_name);
end $$;

-- Counts the edits of a row in its `version` (rule 45).
create function count_edit() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

-- The newest migration that ran; the baseline until there is one.
create function schema_version() returns text language sql stable security definer
  set search_path = pg_catalog, pg_temp as $$
  select name from public.migrations order by name = 'baseline', name desc limit 1
$$;

-- Text as people search for it: case, accents, ß, apostrophes, hyphens and kinds of blanks make no difference. The same functions in
-- TypeScript are in foundation/search-text.ts.
create function fold_text(value text) returns text language plpgsql immutable strict parallel safe as $$
declare
  gone constant text := E'''`\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\uff07\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d-';
  letters text := translate(value, gone, '');
begin
  if octet_length(letters) <> length(letters) then
    letters := lower(regexp_replace(normalize(letters, nfkd), '[\u0300-\u036f\u200b-\u200f\u2060\ufeff]', '', 'g'));
    letters := replace(replace(replace(replace(letters, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    letters := translate(letters, 'ıłøđðħς', 'iloddhσ');
  else
    letters := lower(letters);
  end if;
  return btrim(regexp_replace(letters, '[ \t\n\v\f\r\u0085\u1680\u2028\u2029]+', ' ', 'g'), ' ');
end $$;

-- Germans write ü as u or ue: what is searched for has the short form, and what is searched holds it beside the other.
create function shortened(folded text) returns text language sql immutable strict parallel safe as $$ select regexp_replace(folded, '([aou])e+', '\1', 'g') $$;

-- The form of a text in which it is searched: folded, and the short form beside it where the two differ.
create function searchable(value text) returns text language plpgsql immutable strict parallel safe as $$
declare
  folded text := public.fold_text(value);
  short text := public.shortened(folded);
begin
  return case when short = folded then folded else folded || ' ' || short end;
end $$;

-- The parts of a text that are one, two or three letters long, in small letters. A text contains another only if it has all of its parts,
-- which an index can tell.
create function parts_of(value text) returns text[] language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  letters text := lower(value);
  parts text[] := string_to_array(letters, null);
begin
  -- In a loop, since every change of a name writes an index of its parts, and a query of all places and sizes takes four times as long.
  for place in 1 .. length(letters) - 1 loop
    parts := array_append(array_append(parts, substr(letters, place, 2)), substr(letters, place, 3));
  end loop;
  return parts;
end $$;

-- The parts of the searchable form of a text, of one to three letters, for indices.
create function search_parts_of(value text) returns text[] language plpgsql immutable strict parallel safe cost 1000 as $$
begin
  return public.parts_of(public.searchable(value));
end $$;

-- The parts that a text has which contains this one: of three letters each, as few as cover it. In plpgsql, since a function in SQL is planned
-- at each call, which took half the time of a search.
create function parts_covering(value text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  letters text := lower(value);
  size int := length(letters);
  parts text[] := '{}';
begin
  for place in 1 .. size - 3 by 3 loop
    parts := parts || substr(letters, place, 3);
  end loop;
  return case when size = 0 then parts else parts || substr(letters, greatest(1, size - 2), 3) end;
end $$;

-- Answers name an authenticator by one number, whatever its kind.
create sequence authenticator_ids as integer;
select allow_app('authenticator_ids', 'usage');

-- Allowed attempts of a sliding window. Counted by one statement under the row's lock: exact under concurrency.
create table attempts (
  bucket bytea primary key,
  hits timestamptz[] not null,
  allowed boolean not null,
  expires_at timestamptz not null
);
create index attempts_by_age on attempts (expires_at);
select allow_app('attempts', 'select, insert, update, delete');

-- Security acts, never changed afterwards. Owned by foundation/server/audit.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id uuid,
  act text not null,
  ip inet,
  user_agent text,
  detail jsonb not null default '{}',
  -- The id of the request that an act came by, as the log tells it (rule 44).
  request_id text,
  -- The account that acted; null for the command line, the product itself, and people who had proven nothing.
  actor_id uuid,
  -- Named by a trigger, as actor_id is, whatever a statement says.
  actor_kind text not null default 'system' check (actor_kind in ('self', 'staff', 'customer', 'cli', 'system', 'stranger'))
);
create index audit_by_act on audit (act, at, id);
create index audit_by_actor_id on audit (actor_id, at, id) where actor_id is not null;
create index audit_by_ip on audit (ip, at, id) where ip is not null;
create index audit_by_time on audit (at, id);
-- The audit of an account, the newest first: a page reads its entries and not all that the account has.
create index audit_of_user_by_time on audit (user_id, at, id);
create index audit_with_origin on audit (at) where ip is not null;
select allow_app('audit', 'select, insert');

-- Nothing of a row changes, but that its origin is forgotten after 400 days.
create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.at < now() - interval '400 days' and new.ip is null and new.user_agent is null
    and to_jsonb(new) - '{ip,user_agent}'::text[] = to_jsonb(old) - '{ip,user_agent}'::text[]
  then
    return new;
  end if;
  raise exception 'audit is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_is_append_only before delete or update on audit for each row execute function keep_audit();

create trigger audit_is_not_truncated before truncate on audit for each statement execute function refuse_change();

-- Names the actor of each act, whoever writes the row.
create function name_actor() returns trigger language plpgsql as $$
declare
  -- `act_for` names who acts for another account; others are named in the detail.
  named text := coalesce(nullif(current_setting('app.person', true), ''), new.detail ->> 'by');
begin
  if named = 'command line' then
    new.actor_kind := 'cli';
  elsif named !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    -- An act that happens by itself names the product.
    new.actor_kind := 'system';
  elsif named is not null then
    new.actor_id := named::uuid;
    new.actor_kind := case
      when new.actor_id = new.user_id then 'self'
      when coalesce(current_setting('app.person', true), '') = ''
        and exists (select from users where id = new.actor_id and is_staff) then 'staff'
      else 'customer' end;
  elsif new.act in ('login.refused', 'password.locked', 'code.refused', 'code.locked', 'passkey.refused') then
    new.actor_kind := 'stranger';
  elsif new.user_id is not null and new.ip is not null then
    new.actor_id := new.user_id;
    new.actor_kind := 'self';
  else
    new.actor_kind := 'system';
  end if;
  return new;
end $$;
create trigger audit_names_its_actor before insert on audit for each row execute function name_actor();

-- Forgets the origins of the oldest rows, 5,000 at once, and returns of how many. The application has no right to change the table itself.
create function forget_old_origins() returns integer language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  forgotten integer;
begin
  update public.audit set ip = null, user_agent = null where id in (
    select id from public.audit where ip is not null and at < now() - interval '400 days' order by at limit 5000);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

create table backups (
  id bigint generated always as identity primary key,
  made_at timestamptz not null,
  -- As the command or the settings named it, on the machine that wrote it.
  file text not null,
  row_count bigint not null,
  file_count bigint not null,
  size_bytes bigint not null
);
create index backups_made_at on backups (made_at);
select allow_app('backups', 'select');

-- The processes that run jobs now. Each holds the advisory lock of its number for as long as it lives, so that the
-- death of one (kill -9, power) is seen by the others, and what it had taken is given back within seconds.
create table job_processes (
  id uuid primary key,
  lock_number integer generated always as identity unique,
  -- The time at which the lock was first found free. A lost connection is not a death: it is taken again within a second.
  missed_at timestamptz,
  started_at timestamptz not null default now()
);
select allow_app('job_processes', 'select');

create table jobs (
  id bigint generated always as identity primary key,
  name text not null,
  payload jsonb not null,
  -- The last of several that were asked for under one key stands.
  key text unique,
  run_at timestamptz not null,
  -- Counted when it is taken, so that a job that kills its process is given up in the end.
  attempts integer not null default 0,
  max_attempts integer not null,
  -- The process (`job_processes.id`) that does it now.
  taken_by uuid,
  taken_at timestamptz,
  last_error text,
  -- Each class has places of its own (rule 48).
  class text not null
);
create index jobs_given_up on jobs (name) where taken_by is null and attempts >= max_attempts;
create index jobs_taken on jobs (taken_by) where taken_by is not null;
create index jobs_waiting_by_class on jobs (class, run_at, id) where taken_by is null and attempts < max_attempts;

-- A job that was asked for anew while it runs is told by its attempts from one that used up all of them: when its process dies, the
-- one is removed, and the other is shown as given up.
create function enqueue_job(name text, payload jsonb, run_at timestamptz, key text, max_attempts integer, class text)
  returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
begin
  loop
    insert into public.jobs as waiting (name, payload, run_at, key, max_attempts, class)
    values (enqueue_job.name, coalesce(enqueue_job.payload, '{}'), enqueue_job.run_at, enqueue_job.key,
      coalesce(enqueue_job.max_attempts, 25), enqueue_job.class)
    on conflict on constraint jobs_key_key do update
      set name = excluded.name, payload = excluded.payload, run_at = excluded.run_at,
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

-- Removes the jobs that the process has done, and takes for it the next due job of each class, in the order of the classes; of
-- a kind that goes together, up to `most` of them. One that failed before is taken alone, so that it holds up no others.
-- Runs with the caller's rights.
create function take_jobs(process uuid, done bigint[], names text[], classes text[], together text[], most integer)
  returns setof jobs language plpgsql as $$
declare
  -- A constant: compared with the clock itself, each waiting job would be looked at.
  due constant timestamptz := clock_timestamp();
  wanted text;
  next_one jobs;
begin
  delete from jobs where id = any(done) and taken_by = process;
  foreach wanted in array classes loop
    update jobs set taken_by = process, taken_at = due, attempts = attempts + 1
      where id = (select id from jobs where taken_by is null and class = wanted and run_at <= due
        and attempts < max_attempts and name = any(names) order by run_at, id limit 1 for update skip locked)
      returning * into next_one;
    continue when not found;
    return next next_one;
    continue when next_one.attempts > 1 or next_one.name <> all(together);
    return query update jobs set taken_by = process, taken_at = due, attempts = attempts + 1
      where id = any(array(select id from jobs where taken_by is null and class = wanted and run_at <= due
        and attempts < max_attempts and attempts = 0 and name = next_one.name order by run_at, id limit most - 1
        for update skip locked))
      returning *;
  end loop;
end $$;

-- The application has no rights on the queue; how much is in it, it may know. Only what is due is counted, and at most
-- 100,000 jobs: the rest waits for its time, and there is as much of it as there are customers.
create function queue_figures()
  returns table(name text, due bigint, oldest_s double precision, running bigint, given_up bigint)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp as $$
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

-- Without the payload: it may hold keys.
create function failed_jobs()
  returns table(id bigint, name text, attempts integer, last_error text) language sql stable security definer
  set search_path = pg_catalog, pg_temp as $$
  select j.id, j.name, j.attempts, j.last_error from public.jobs j
  where j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts order by j.id desc limit 100
$$;

-- Makes a failed job due at once, with all its attempts. Answers its name; null where no such job has failed.
create function retry_failed_job(job_id bigint) returns text language sql security definer
  set search_path = pg_catalog, pg_temp as $$
  select pg_notify('jobs', '');
  update public.jobs j set attempts = 0, run_at = clock_timestamp()
  where j.id = job_id and j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts returning j.name
$$;

create function drop_failed_job(job_id bigint) returns text language sql security definer
  set search_path = pg_catalog, pg_temp as $$
  delete from public.jobs j
  where j.id = job_id and j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts returning j.name
$$;

-- The newest number of each customer's log. Its row is locked from the first event until the commit, so that numbers
-- become visible in their order and without holes. A reader's cursor over a plain sequence would jump over
-- numbers that are given out but not committed yet.
create table live_cursors (
  user_id uuid primary key,
  last_seq bigint not null
);
select allow_app('live_cursors', 'select, insert, update, delete');

-- Events are kept for an hour, and most of what a table of them costs is to remove them again (decision 061). They lie in a ring of
-- four parts, half an hour each, and the part that comes next is emptied at once. All parts are there from the start,
-- so that no write depends on one that is made in time.
create function live_slot(at timestamptz) returns smallint language sql stable parallel safe as $$
  select (extract(epoch from at)::bigint / 1800 % 4)::smallint
$$;

create table live_events (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- The customer of a ticket is never sent what staff are told of it, also where that customer is staff.
  hidden_from uuid,
  slot smallint not null default live_slot(now())
) partition by list (slot);
select allow_app('live_events', 'select, insert, update, delete');

create table live_events_0 partition of live_events (primary key (user_id, seq)) for values in (0);

create table live_events_1 partition of live_events (primary key (user_id, seq)) for values in (1);

create table live_events_2 partition of live_events (primary key (user_id, seq)) for values in (2);

create table live_events_3 partition of live_events (primary key (user_id, seq)) for values in (3);

-- Empties the part that is written to next, whose events are an hour old at least. Where
-- somebody reads a part for long, as a backup does, nobody waits behind us: the next run is soon. Right before a part's turn it
-- is left alone, for writers do not wait for us either.
create function sweep_live_events(at timestamptz default now()) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '100ms' as $$
begin
  if extract(epoch from at)::bigint % 1800 < 1740 then
    case public.live_slot(at + interval '30 minutes')
      when 0 then truncate public.live_events_0;
      when 1 then truncate public.live_events_1;
      when 2 then truncate public.live_events_2;
      else truncate public.live_events_3;
    end case;
  end if;
exception when lock_not_available then
  null;
end
$$;

-- Things a running process noticed about its surroundings, for `hostdesk doctor`. Owned by foundation/server/operation.
create table observations (
  name text primary key,
  seen_at timestamptz not null default now()
);
select allow_app('observations', 'select, insert, update');

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

-- The fingerprint of SECRET_KEY, so that a process with another key does not start. Owned by foundation/server/key-change.
create table secret_keys (
  fingerprint text primary key,
  made_at timestamptz not null default now(),
  retired_at timestamptz,
  -- The part of a retired key that hashes short secrets that are kept nowhere in clear (vouchers), sealed with the present key.
  digests text
);
create unique index secret_keys_present on secret_keys (((retired_at is null))) where retired_at is null;
select allow_app('secret_keys', 'select');

create table users (
  id uuid primary key default gen_random_uuid(),
  -- The primary address, lower-cased. Kept in step by the owner of email_addresses.
  email text not null check ((email = lower(email)) and length(email) <= 254),
  locale text not null default 'en' check (locale in ('en', 'de', 'ru')),
  is_staff boolean not null default false,
  is_active boolean not null default true,
  -- The proofs that the account has, kept by the owner of passwords and authenticators.
  has_password boolean not null default false,
  factors text[] not null default '{}',
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  -- Accounts of the example people, whose passwords are in the README. Production refuses them (rule 39).
  is_example boolean not null default false,
  -- In whose time zone mails tell times; null: the operator's (COMPANY_TIME_ZONE). Checked by the program, whose list of zones it is.
  time_zone text check (length(time_zone) >= 1 and length(time_zone) <= 64),
  -- Roles of staff: a fixed set, whose permissions stand in the contracts of the calls.
  staff_roles text[] not null default '{}',
  access text not null default 'open',
  -- The customer reads this text.
  access_message text not null default '' check (length(access_message) <= 2000),
  constraint access_is_known check (access in ('open', 'blocked', 'locked')),
  constraint staff_roles_are_staff check ((cardinality(staff_roles) > 0) = is_staff),
  constraint staff_roles_known check (staff_roles <@ '{support,billing,admin,owner}'::text[])
);
create index example_users on users (id) where is_example;
-- An account and the moment it was made, unique so that others may refer to both (docs/decisions/070).
create unique index users_by_age on users (created_at, id);
create index users_by_login on users (coalesce(last_login_at, created_at), id);
create index users_not_open on users (created_at, id) where access <> 'open';
-- Staff are few among many, and each word in a ticket is told to all of them.
create index users_of_staff on users (id) where is_staff;
-- Accounts that lost their only address.
create index users_without_address on users (id) where email ~~ '%@unproven.invalid';
select allow_app('users', 'select, insert, update, delete');
select protect_rows('users', 'id');

-- Written by `system` only: the attack is a statement that writes a customer's own row with fields that they chose.
create function keep_access() returns trigger language plpgsql as $$
begin
  if current_setting('app.actor', true) is distinct from 'system' then
    raise exception 'access is given by the system only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_access before update of access on users for each row
  when (new.access is distinct from old.access)
  execute function keep_access();

-- A role is added by `system` only: the attack is a statement that writes a customer's own row with fields that they chose.
create function keep_staff_roles() returns trigger language plpgsql as $$
begin
  if not new.staff_roles <@ old.staff_roles and current_setting('app.actor', true) is distinct from 'system' then
    raise exception 'roles are given by the system only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_staff_roles before update of staff_roles on users for each row execute function keep_staff_roles();

-- The last owner stays: taking the role or the account of the only one is refused, whatever statement tries it. Two owners
-- who revoke each other take turns at the lock. Example people may go.
create function keep_an_owner() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('staff owners', 0));
  if not exists (select from users where is_staff and is_active and 'owner' = any (staff_roles) and id <> old.id) then
    raise exception 'the last owner stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger owner_stays before update of staff_roles, is_active on users for each row
  when (old.is_active and ('owner' = any (old.staff_roles)) and (not old.is_example) and (not (new.is_active and ('owner' = any (new.staff_roles)))))
  execute function keep_an_owner();

-- Amounts that count against a member's allowance. Their sum is read under the lock allowance:<user>; rows are never corrected.
create table allowance_uses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  act text not null,
  -- Minor units.
  amount bigint not null check (amount > 0),
  at timestamptz not null default now()
);
create index allowance_uses_of_member on allowance_uses (user_id, act, at);
select allow_app('allowance_uses', 'select, insert');
select protect_rows('allowance_uses', 'user_id');

select append_only('allowance_uses');

create table approvals (
  id uuid primary key default gen_random_uuid(),
  -- The name of the permission that the action needs.
  act text not null,
  customer_id uuid references users,
  amount bigint check (amount > 0),
  -- The input of the action, besides customer, amount and reason.
  input jsonb not null,
  why text not null check (why in ('allowance', 'day', 'linked', 'always')),
  -- The facts that the member who asks shares with the customer, as they were then.
  links text[] not null default '{}',
  reason text not null,
  proposed_by uuid not null references users,
  -- Whole milliseconds, which cursors hold.
  proposed_at timestamptz not null default date_trunc('milliseconds', now()),
  expires_at timestamptz not null,
  status text not null default 'proposed' check (status in ('proposed', 'approved', 'failed', 'refused', 'withdrawn', 'expired')),
  decided_by uuid references users,
  decided_at timestamptz,
  note text,
  result jsonb,
  -- The code by which the action's own rules refused it.
  failure text,
  check (decided_by <> proposed_by),
  check ((status = 'proposed') = (decided_at is null)),
  check ((status in ('approved', 'failed', 'refused')) = (decided_by is not null)),
  check ((status = 'failed') = (failure is not null))
);
create unique index approval_proposed_once on approvals (act, customer_id, amount, md5(input::text)) nulls not distinct where status = 'proposed';
create index approvals_of_customer on approvals (customer_id);
create index approvals_of_proposer on approvals (proposed_by, proposed_at);
create index approvals_waiting_first on approvals (((status = 'proposed')), proposed_at, id);
select allow_app('approvals', 'select, insert, update (status, decided_by, decided_at, note, result, failure)');
select protect_rows('approvals', 'customer_id');

-- A row leaves `proposed` once, and nothing else of it ever changes: two who decide at once meet here at the latest.
create function guard_approval() returns trigger language plpgsql as $$
begin
  if old.status <> 'proposed' or new.status = 'proposed' then
    raise exception 'an approval is decided once' using errcode = 'restrict_violation';
  end if;
  if (new.id, new.act, new.customer_id, new.amount, new.input, new.why, new.links, new.reason, new.proposed_by, new.proposed_at,
    new.expires_at) is distinct from (old.id, old.act, old.customer_id, old.amount, old.input, old.why, old.links, old.reason,
    old.proposed_by, old.proposed_at, old.expires_at)
  then
    raise exception 'a proposal does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger approvals_are_decided_once before update on approvals for each row execute function guard_approval();

create trigger approvals_are_kept before delete on approvals for each row execute function refuse_change();

create trigger approvals_are_not_truncated before truncate on approvals for each statement execute function refuse_change();

-- A row is written in the transaction of the effect itself: both stand, or neither. Two calls with one key meet at the
-- primary key, where the second waits for the first and then answers as it did.
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null check (length(key) >= 1 and length(key) <= 255),
  -- SHA-256 of method, path and body: the same key for something else is a mistake of the caller.
  request_hash bytea not null,
  status smallint,
  body jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
select allow_app('idempotency_keys', 'select, insert, update, delete');
select protect_rows('idempotency_keys', 'user_id');

-- A row names who gave a role to whom without a second owner (docs/decisions/066). Owned by foundation/server/approvals.
create table introductions (
  id bigint generated always as identity primary key,
  member_id uuid not null references users on delete cascade,
  by_id uuid not null references users on delete cascade,
  at timestamptz not null default now(),
  check (member_id <> by_id)
);
create index introductions_by_author on introductions (by_id, at);
create index introductions_by_member on introductions (member_id, at);
select allow_app('introductions', 'select, insert');

-- The time until which two members decide nothing of each other, because one brought the other in, or both were brought in by a third, within
-- 14 days; null where they may decide. Of several ways the one that holds longest counts, and each way ends with its first link.
create function introduced_until(one uuid, other uuid) returns timestamptz language sql stable as $$
  with recursive reached (id, until) as (
    select one, 'infinity'::timestamptz
    union
    select case when i.by_id = r.id then i.member_id else i.by_id end, least(r.until, i.at + interval '14 days')
    from reached r join introductions i on r.id in (i.by_id, i.member_id)
    where i.at > now() - interval '14 days')
  select max(until) from reached where id = other and one <> other
$$;

-- A mail owed is a row written in the transaction of the act it tells of. No row-level security: a mail may go to
-- somebody who has no account, or to another than the one who acts.
create table mails (
  -- The Message-ID too, so that a second delivery after a crash can be recognised as the same mail.
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users on delete set null,
  to_address text not null check (length(to_address) <= 320),
  letter text not null,
  locale text not null check (locale in ('en', 'de', 'ru')),
  -- Sealed, for it holds keys that reset passwords: a dump of the database must not open accounts. Null once sent.
  content text,
  -- 'kept': there is no mail server; readable at /dev/mail/.
  state text not null default 'owed' check (state in ('owed', 'sending', 'sent', 'dead', 'kept')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  leased_by uuid,
  leased_until timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- The class of its template, which its job gets at each try.
  class text not null,
  -- Mails that the mail server did not take because it was away itself, since their last try. When it is back they go at once.
  awaits_server_since timestamp(3) with time zone
);
create index mails_awaiting_server on mails (created_at) where awaits_server_since is not null;
create index mails_by_address on mails (to_address, created_at);
create index mails_by_age on mails (created_at);
create index mails_dead on mails (created_at) where state = 'dead';
create index mails_due on mails (next_at) where state in ('owed', 'sending');
select allow_app('mails', 'select, insert, update, delete');

-- A half-finished login has a table and a kind of token of its own, so that what loads sessions cannot read it.
-- user_id is null where there is no account behind it: a passkey challenge, or a sign-up with a taken address.
create table pending_logins (
  token_hash bytea primary key,
  user_id uuid references users on delete cascade,
  stage text not null check (stage in ('none', 'verify_email', 'mfa_authenticate')),
  email text,
  methods jsonb not null default '[]',
  scratch jsonb not null default '{}',
  stage_at timestamptz not null default now(),
  written_at timestamptz not null default now()
);
create index pending_logins_by_age on pending_logins (written_at);
create index pending_logins_of_user on pending_logins (user_id);
select allow_app('pending_logins', 'select, insert, update, delete');

create table sessions (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  -- Raised whenever the token is rotated, so that the access tokens that it gave are dead at once.
  generation integer not null default 1,
  methods jsonb not null default '[]',
  -- Kept by a step for the next one: a TOTP secret to confirm (sealed), a passkey challenge.
  scratch jsonb not null default '{}',
  ip inet not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  written_at timestamptz not null default now()
);
create index sessions_by_age on sessions (written_at);
create index sessions_by_start on sessions (created_at);
create index sessions_of_user on sessions (user_id);
select allow_app('sessions', 'select, insert, update, delete');
select protect_rows('sessions', 'user_id');

create table refresh_tokens (
  token_hash bytea primary key,
  session_id bigint not null references sessions on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- A refresh token names the one it replaced, so that a lost answer can be given again (decision 026). One successor each.
  parent_hash bytea unique,
  issued_at timestamptz not null default now()
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
select allow_app('refresh_tokens', 'select, insert, update, delete');

-- Accounts that members of staff look at as their customers see them. An open view is a row here; that there was one stays in the audit.
-- Owned by foundation/server/session.
create table view_sessions (
  id uuid primary key default gen_random_uuid(),
  member_id uuid not null references users on delete cascade,
  -- With the session ends the view: whoever takes rights away, or signs out, ends it without knowing of it.
  session_id bigint not null references sessions on delete cascade,
  customer_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check (member_id <> customer_id)
);
create index view_sessions_of_customer on view_sessions (customer_id);
create index view_sessions_of_member on view_sessions (member_id);
create index view_sessions_of_session on view_sessions (session_id);
select allow_app('view_sessions', 'select, insert, delete');
select protect_rows('view_sessions', 'member_id');

create function in_three_languages(texts jsonb, most integer) returns boolean language sql immutable as $$
  select jsonb_typeof(texts) = 'object' and texts ?& array['en', 'de', 'ru']
    and (select bool_and(jsonb_typeof(value) = 'string' and length(value #>> '{}') <= most) from jsonb_each(texts))
$$;
