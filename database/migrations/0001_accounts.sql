-- Accounts and how they are signed in. Owned by foundation/server/session, limits and audit.

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

-- Gives the application exactly the named rights on a table.
create function allow_app(table_name text, rights text) returns void language plpgsql as $$
begin
  if exists (select from pg_roles where rolname = 'hostdesk_app') then
    execute format('grant %s on %I to hostdesk_app', rights, table_name);
  end if;
end $$;

-- For whom the transaction writes: a user's id, 'system', or nobody (then no row may be written).
create function actor_owns(owner uuid) returns boolean language sql stable as $$
  select current_setting('app.actor', true) in ('system', owner::text)
$$;

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

create table users (
  id uuid primary key default gen_random_uuid(),
  -- The primary address, lower-cased. Kept in step by the owner of email_addresses.
  email text not null check (email = lower(email) and length(email) <= 254),
  locale text not null default 'en' check (locale in ('en', 'de', 'ru')),
  is_staff boolean not null default false,
  is_active boolean not null default true,
  -- What the account can prove itself with, kept by the owner of passwords and authenticators.
  has_password boolean not null default false,
  factors text[] not null default '{}',
  created_at timestamptz not null default now(),
  last_login_at timestamptz
);
select allow_app('users', 'select, insert, update, delete');
select protect_rows('users', 'id');

create table sessions (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  -- Raised whenever the token is rotated, so that access tokens of before are dead at once.
  generation integer not null default 1,
  methods jsonb not null default '[]',
  -- What a step keeps for the next one: a TOTP secret to confirm (sealed), a passkey challenge.
  scratch jsonb not null default '{}',
  ip inet not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  written_at timestamptz not null default now()
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_age on sessions (written_at);
select allow_app('sessions', 'select, insert, update, delete');
select protect_rows('sessions', 'user_id');

create table refresh_tokens (
  token_hash bytea primary key,
  session_id bigint not null references sessions on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
select allow_app('refresh_tokens', 'select, insert, update, delete');

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
create index pending_logins_of_user on pending_logins (user_id);
create index pending_logins_by_age on pending_logins (written_at);
select allow_app('pending_logins', 'select, insert, update, delete');

-- Allowed attempts of a sliding window. Counted by one statement under the row's lock: exact under concurrency.
create table attempts (
  bucket bytea primary key,
  hits timestamptz[] not null,
  allowed boolean not null,
  expires_at timestamptz not null
);
create index attempts_by_age on attempts (expires_at);
select allow_app('attempts', 'select, insert, update, delete');

-- Security acts, never changed afterwards.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id uuid,
  act text not null,
  ip inet,
  user_agent text,
  detail jsonb not null default '{}'
);
create index audit_of_user on audit (user_id, id);
create trigger audit_is_append_only before update or delete on audit for each row execute function refuse_change();
create trigger audit_is_not_truncated before truncate on audit for each statement execute function refuse_change();
select allow_app('audit', 'select, insert');
