-- Jobs and the mail outbox. Owned by foundation/server/jobs and foundation/server/mail.

-- The queue itself is graphile-worker's, in a schema of its own on which the application has no rights: who runs SQL
-- as the application can ask for a job but neither read, change nor take away another's.
create function enqueue_job(name text, payload jsonb, run_at timestamptz, key text, max_attempts integer)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(
    identifier => name, payload => payload::json, run_at => run_at, job_key => key, max_attempts => max_attempts);
end $$;

-- The processes that run jobs now. Each holds the advisory lock of its number for as long as it lives, so that the
-- death of one (kill -9, power) is seen by the others, and what it had taken is given back within seconds.
create table job_processes (
  id uuid primary key,
  lock_number integer generated always as identity unique,
  -- Under these names the process takes jobs; a job taken under any other name has lost its process.
  worker_ids text[] not null default '{}',
  -- Since when the lock was found free. A lost connection is not a death: it is taken again within a second.
  missed_at timestamptz,
  started_at timestamptz not null default now()
);
select allow_app('job_processes', 'select');

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
  sent_at timestamptz
);
create index mails_due on mails (next_at) where state in ('owed', 'sending');
create index mails_by_address on mails (to_address, created_at);
create index mails_by_age on mails (created_at);
select allow_app('mails', 'select, insert, update, delete');
