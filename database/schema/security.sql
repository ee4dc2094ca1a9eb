-- The tables of features/security with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

create table passkeys (
  id integer default nextval('authenticator_ids'::regclass) not null,
  user_id uuid not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  -- The authenticator's signature counter; one that goes back tells of a copied key.
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  -- May sign in alone, without password: the key is discoverable and asks for a PIN or a finger.
  is_passwordless boolean not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint passkeys_name_check check (length(name) <= 100)
);
create index passkeys_of_user on passkeys (user_id);
grant delete, insert, select, update on passkeys to hostdesk_app;
alter table passkeys enable row level security;
alter table passkeys force row level security;
create policy deleted_by_owner on passkeys for delete using (actor_owns(user_id));
create policy inserted_by_owner on passkeys for insert with check (actor_owns(user_id));
create policy readable on passkeys for select using (true);
create policy updated_by_owner on passkeys for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger passkeys_follow_a_proven_address before insert on passkeys for each row execute function refuse_before_proof();

create table passwords (
  user_id uuid not null,
  hash text not null,
  changed_at timestamp with time zone default now() not null,
  constraint passwords_pkey primary key (user_id),
  constraint passwords_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint passwords_hash_check check (hash ~~ '$argon2id$%'::text)
);
grant delete, insert, select, update on passwords to hostdesk_app;
alter table passwords enable row level security;
alter table passwords force row level security;
create policy deleted_by_owner on passwords for delete using (actor_owns(user_id));
create policy inserted_by_owner on passwords for insert with check (actor_owns(user_id));
create policy readable on passwords for select using (true);
create policy updated_by_owner on passwords for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger no_robot before insert on passwords for each row execute function refuse_robot('user_id');

-- The unused codes: using one deletes its row. The digest (HMAC) finds a code, the sealed text shows it again.
create table recovery_codes (
  user_id uuid not null,
  place smallint not null,
  digest bytea not null,
  sealed text not null,
  constraint recovery_codes_pkey primary key (user_id, place),
  constraint recovery_codes_user_id_digest_key unique (user_id, digest),
  constraint recovery_codes_user_id_fkey foreign key (user_id) references recovery_sets(user_id) on delete cascade
);
grant delete, insert, select, update on recovery_codes to hostdesk_app;
alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;
create policy deleted_by_owner on recovery_codes for delete using (actor_owns(user_id));
create policy inserted_by_owner on recovery_codes for insert with check (actor_owns(user_id));
create policy readable on recovery_codes for select using (true);
create policy updated_by_owner on recovery_codes for update using (actor_owns(user_id)) with check (actor_owns(user_id));

create table recovery_sets (
  user_id uuid not null,
  id integer default nextval('authenticator_ids'::regclass) not null,
  total_count smallint not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint recovery_sets_pkey primary key (user_id),
  constraint recovery_sets_id_key unique (id),
  constraint recovery_sets_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint recovery_sets_total_count_check check (total_count > 0)
);
grant delete, insert, select, update on recovery_sets to hostdesk_app;
alter table recovery_sets enable row level security;
alter table recovery_sets force row level security;
create policy deleted_by_owner on recovery_sets for delete using (actor_owns(user_id));
create policy inserted_by_owner on recovery_sets for insert with check (actor_owns(user_id));
create policy readable on recovery_sets for select using (true);
create policy updated_by_owner on recovery_sets for update using (actor_owns(user_id)) with check (actor_owns(user_id));

create table totp_authenticators (
  user_id uuid not null,
  id integer default nextval('authenticator_ids'::regclass) not null,
  -- AES-256-GCM, bound to the user: a dump of the table makes no codes.
  secret text not null,
  -- The last step whose code was accepted. A step is never accepted twice.
  last_step bigint default '-1'::integer not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint totp_authenticators_pkey primary key (user_id),
  constraint totp_authenticators_id_key unique (id),
  constraint totp_authenticators_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
grant delete, insert, select, update on totp_authenticators to hostdesk_app;
alter table totp_authenticators enable row level security;
alter table totp_authenticators force row level security;
create policy deleted_by_owner on totp_authenticators for delete using (actor_owns(user_id));
create policy inserted_by_owner on totp_authenticators for insert with check (actor_owns(user_id));
create policy readable on totp_authenticators for select using (true);
create policy updated_by_owner on totp_authenticators for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger totp_follows_a_proven_address before insert on totp_authenticators for each row execute function refuse_before_proof();
