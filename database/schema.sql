-- Tables

create table attempts (
  bucket bytea not null,
  hits timestamp with time zone[] not null,
  allowed boolean not null,
  expires_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (bucket)
);

create table audit (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  user_id uuid,
  act text not null,
  ip inet,
  user_agent text,
  detail jsonb default '{}'::jsonb not null,
  constraint audit_pkey PRIMARY KEY (id)
);

create table email_addresses (
  id bigint generated always as identity not null,
  user_id uuid not null,
  email text not null,
  verified_at timestamp with time zone,
  is_primary boolean default false not null,
  created_at timestamp with time zone default now() not null,
  constraint email_addresses_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint email_addresses_pkey PRIMARY KEY (id),
  constraint email_addresses_user_id_email_key UNIQUE (user_id, email),
  constraint email_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table idempotency_keys (
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status smallint,
  body jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key),
  constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table job_processes (
  id uuid not null,
  lock_number integer generated always as identity not null,
  worker_ids text[] default '{}'::text[] not null,
  missed_at timestamp with time zone,
  started_at timestamp with time zone default now() not null,
  constraint job_processes_lock_number_key UNIQUE (lock_number),
  constraint job_processes_pkey PRIMARY KEY (id)
);

create table live_cursors (
  user_id uuid not null,
  last_seq bigint not null,
  constraint live_cursors_pkey PRIMARY KEY (user_id)
);

create table live_events (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  payload jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint live_events_pkey PRIMARY KEY (user_id, seq)
);

create table mails (
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  to_address text not null,
  letter text not null,
  locale text not null,
  content text,
  state text default 'owed'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  leased_by uuid,
  leased_until timestamp with time zone,
  last_error text,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  constraint mails_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_state_check CHECK ((state = ANY (ARRAY['owed'::text, 'sending'::text, 'sent'::text, 'dead'::text, 'kept'::text]))),
  constraint mails_to_address_check CHECK ((length(to_address) <= 320)),
  constraint mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

create table migrations (
  name text not null,
  hash text not null,
  ran_at timestamp with time zone default now() not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table passkeys (
  id integer default nextval('authenticator_ids'::regclass) not null,
  user_id uuid not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  is_passwordless boolean not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_name_check CHECK ((length(name) <= 100)),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table password_reset_keys (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint password_reset_keys_pkey PRIMARY KEY (token_hash),
  constraint password_reset_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table passwords (
  user_id uuid not null,
  hash text not null,
  changed_at timestamp with time zone default now() not null,
  constraint passwords_hash_check CHECK ((hash ~~ '$argon2id$%'::text)),
  constraint passwords_pkey PRIMARY KEY (user_id),
  constraint passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table pending_logins (
  token_hash bytea not null,
  user_id uuid,
  stage text not null,
  email text,
  methods jsonb default '[]'::jsonb not null,
  scratch jsonb default '{}'::jsonb not null,
  stage_at timestamp with time zone default now() not null,
  written_at timestamp with time zone default now() not null,
  constraint pending_logins_pkey PRIMARY KEY (token_hash),
  constraint pending_logins_stage_check CHECK ((stage = ANY (ARRAY['none'::text, 'verify_email'::text, 'mfa_authenticate'::text]))),
  constraint pending_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table profiles (
  user_id uuid not null,
  name text default ''::text not null,
  middle_name text default ''::text not null,
  surname text default ''::text not null,
  country text default ''::text not null,
  address text default ''::text not null,
  apartment text default ''::text not null,
  zip text default ''::text not null,
  city text default ''::text not null,
  state text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  constraint profiles_address_check CHECK ((length(address) <= 200)),
  constraint profiles_apartment_check CHECK ((length(apartment) <= 50)),
  constraint profiles_city_check CHECK ((length(city) <= 100)),
  constraint profiles_country_check CHECK ((country ~ '^([A-Z]{2})?$'::text)),
  constraint profiles_middle_name_check CHECK ((length(middle_name) <= 100)),
  constraint profiles_name_check CHECK ((length(name) <= 100)),
  constraint profiles_pkey PRIMARY KEY (user_id),
  constraint profiles_state_check CHECK ((length(state) <= 100)),
  constraint profiles_surname_check CHECK ((length(surname) <= 100)),
  constraint profiles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint profiles_zip_check CHECK ((length(zip) <= 20))
);

create table recovery_codes (
  user_id uuid not null,
  place smallint not null,
  digest bytea not null,
  sealed text not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, place),
  constraint recovery_codes_user_id_digest_key UNIQUE (user_id, digest),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES recovery_sets(user_id) ON DELETE CASCADE
);

create table recovery_sets (
  user_id uuid not null,
  id integer default nextval('authenticator_ids'::regclass) not null,
  total_count smallint not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint recovery_sets_id_key UNIQUE (id),
  constraint recovery_sets_pkey PRIMARY KEY (user_id),
  constraint recovery_sets_total_count_check CHECK ((total_count > 0)),
  constraint recovery_sets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table refresh_tokens (
  token_hash bytea not null,
  session_id bigint not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

create table sessions (
  id bigint generated always as identity not null,
  user_id uuid not null,
  token_hash bytea not null,
  generation integer default 1 not null,
  methods jsonb default '[]'::jsonb not null,
  scratch jsonb default '{}'::jsonb not null,
  ip inet not null,
  user_agent text not null,
  created_at timestamp with time zone default now() not null,
  written_at timestamp with time zone default now() not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table totp_authenticators (
  user_id uuid not null,
  id integer default nextval('authenticator_ids'::regclass) not null,
  secret text not null,
  last_step bigint default '-1'::integer not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint totp_authenticators_id_key UNIQUE (id),
  constraint totp_authenticators_pkey PRIMARY KEY (user_id),
  constraint totp_authenticators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table users (
  id uuid default gen_random_uuid() not null,
  email text not null,
  locale text default 'en'::text not null,
  is_staff boolean default false not null,
  is_active boolean default true not null,
  has_password boolean default false not null,
  factors text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  last_login_at timestamp with time zone,
  constraint users_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint users_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint users_pkey PRIMARY KEY (id)
);

create table verification_keys (
  token_hash bytea not null,
  address_id bigint not null,
  expires_at timestamp with time zone not null,
  constraint verification_keys_address_id_fkey FOREIGN KEY (address_id) REFERENCES email_addresses(id) ON DELETE CASCADE,
  constraint verification_keys_pkey PRIMARY KEY (token_hash)
);


-- Indexes

CREATE INDEX addresses_by_email ON public.email_addresses USING btree (email);
CREATE INDEX attempts_by_age ON public.attempts USING btree (expires_at);
CREATE INDEX audit_of_user ON public.audit USING btree (user_id, id);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX live_events_by_age ON public.live_events USING btree (created_at);
CREATE INDEX mails_by_address ON public.mails USING btree (to_address, created_at);
CREATE INDEX mails_by_age ON public.mails USING btree (created_at);
CREATE INDEX mails_due ON public.mails USING btree (next_at) WHERE (state = ANY (ARRAY['owed'::text, 'sending'::text]));
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id);
CREATE INDEX password_reset_keys_by_age ON public.password_reset_keys USING btree (expires_at);
CREATE INDEX password_reset_keys_of_user ON public.password_reset_keys USING btree (user_id);
CREATE INDEX pending_logins_by_age ON public.pending_logins USING btree (written_at);
CREATE INDEX pending_logins_of_user ON public.pending_logins USING btree (user_id);
CREATE INDEX refresh_tokens_of_session ON public.refresh_tokens USING btree (session_id);
CREATE INDEX sessions_by_age ON public.sessions USING btree (written_at);
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id);
CREATE INDEX verification_keys_by_age ON public.verification_keys USING btree (expires_at);
CREATE INDEX verification_keys_of_address ON public.verification_keys USING btree (address_id);
CREATE UNIQUE INDEX one_primary_address ON public.email_addresses USING btree (user_id) WHERE is_primary;
CREATE UNIQUE INDEX one_verified_owner ON public.email_addresses USING btree (email) WHERE (verified_at IS NOT NULL);

-- Row-level security

alter table email_addresses force row level security;
alter table idempotency_keys force row level security;
alter table passkeys force row level security;
alter table password_reset_keys force row level security;
alter table passwords force row level security;
alter table profiles force row level security;
alter table recovery_codes force row level security;
alter table recovery_sets force row level security;
alter table sessions force row level security;
alter table totp_authenticators force row level security;
alter table users force row level security;
create policy deleted_by_owner on email_addresses for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on idempotency_keys for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on passkeys for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on password_reset_keys for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on passwords for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on profiles for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on recovery_codes for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on recovery_sets for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on sessions for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on totp_authenticators for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on users for delete using (actor_owns(id)) with check ();
create policy inserted_by_owner on email_addresses for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on idempotency_keys for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on passkeys for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on password_reset_keys for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on passwords for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on profiles for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on recovery_codes for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on recovery_sets for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on sessions for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on totp_authenticators for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on users for insert using () with check (actor_owns(id));
create policy readable on email_addresses for select using (true) with check ();
create policy readable on idempotency_keys for select using (true) with check ();
create policy readable on passkeys for select using (true) with check ();
create policy readable on password_reset_keys for select using (true) with check ();
create policy readable on passwords for select using (true) with check ();
create policy readable on profiles for select using (true) with check ();
create policy readable on recovery_codes for select using (true) with check ();
create policy readable on recovery_sets for select using (true) with check ();
create policy readable on sessions for select using (true) with check ();
create policy readable on totp_authenticators for select using (true) with check ();
create policy readable on users for select using (true) with check ();
create policy updated_by_owner on email_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on idempotency_keys for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on passkeys for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on password_reset_keys for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on passwords for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on profiles for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on recovery_codes for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on recovery_sets for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on sessions for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on totp_authenticators for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on users for update using (actor_owns(id)) with check (actor_owns(id));

-- Functions

CREATE OR REPLACE FUNCTION public.actor_owns(owner uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select current_setting('app.actor', true) in ('system', owner::text)
$function$
;

CREATE OR REPLACE FUNCTION public.allow_app(table_name text, rights text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from pg_roles where rolname = 'hostdesk_app') then
    execute format('grant %s on %I to hostdesk_app', rights, table_name);
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION public.enqueue_job(name text, payload jsonb, run_at timestamp with time zone, key text, max_attempts integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform graphile_worker.add_job(
    identifier => name, payload => payload::json, run_at => run_at, job_key => key, max_attempts => max_attempts);
end $function$
;

CREATE OR REPLACE FUNCTION public.protect_rows(table_name text, owner_column text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %I enable row level security', table_name);
  execute format('alter table %I force row level security', table_name);
  execute format('create policy readable on %I for select using (true)', table_name);
  execute format('create policy inserted_by_owner on %I for insert with check (actor_owns(%I))', table_name, owner_column);
  execute format('create policy updated_by_owner on %I for update using (actor_owns(%I)) with check (actor_owns(%I))',
    table_name, owner_column, owner_column);
  execute format('create policy deleted_by_owner on %I for delete using (actor_owns(%I))', table_name, owner_column);
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $function$
;


-- Triggers

CREATE TRIGGER audit_is_append_only BEFORE DELETE OR UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_is_not_truncated BEFORE TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Rights of the application

grant delete, insert, select, update on attempts to hostdesk_app;
grant insert, select on audit to hostdesk_app;
grant delete, insert, select, update on email_addresses to hostdesk_app;
grant delete, insert, select, update on idempotency_keys to hostdesk_app;
grant select on job_processes to hostdesk_app;
grant delete, insert, select, update on live_cursors to hostdesk_app;
grant delete, insert, select, update on live_events to hostdesk_app;
grant delete, insert, select, update on mails to hostdesk_app;
grant select on migrations to hostdesk_app;
grant delete, insert, select, update on passkeys to hostdesk_app;
grant delete, insert, select on password_reset_keys to hostdesk_app;
grant delete, insert, select, update on passwords to hostdesk_app;
grant delete, insert, select, update on pending_logins to hostdesk_app;
grant delete, insert, select, update on profiles to hostdesk_app;
grant delete, insert, select, update on recovery_codes to hostdesk_app;
grant delete, insert, select, update on recovery_sets to hostdesk_app;
grant delete, insert, select, update on refresh_tokens to hostdesk_app;
grant delete, insert, select, update on sessions to hostdesk_app;
grant delete, insert, select, update on totp_authenticators to hostdesk_app;
grant delete, insert, select, update on users to hostdesk_app;
grant delete, insert, select on verification_keys to hostdesk_app;
