create table passkeys (
  id integer primary key default nextval('authenticator_ids'::regclass),
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) <= 100),
  credential_id text not null unique,
  public_key bytea not null,
  -- The authenticator's signature counter; one that goes back tells of a copied key.
  counter bigint not null,
  transports text[] not null default '{}',
  -- May sign in alone, without password: the key is discoverable and asks for a PIN or a finger.
  is_passwordless boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);
select allow_app('passkeys', 'select, insert, update, delete');
select protect_rows('passkeys', 'user_id');

create trigger passkeys_follow_a_proven_address before insert on passkeys for each row execute function refuse_before_proof();

create table passwords (
  user_id uuid primary key references users on delete cascade,
  hash text not null check (hash ~~ '$argon2id$%'),
  changed_at timestamptz not null default now()
);
select allow_app('passwords', 'select, insert, update, delete');
select protect_rows('passwords', 'user_id');

create table recovery_sets (
  user_id uuid primary key references users on delete cascade,
  id integer not null default nextval('authenticator_ids'::regclass) unique,
  total_count smallint not null check (total_count > 0),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
select allow_app('recovery_sets', 'select, insert, update, delete');
select protect_rows('recovery_sets', 'user_id');

-- The unused codes: using one deletes its row. The digest (HMAC) finds a code, the sealed text shows it again.
create table recovery_codes (
  user_id uuid not null references recovery_sets on delete cascade,
  place smallint not null,
  digest bytea not null,
  sealed text not null,
  primary key (user_id, place),
  unique (user_id, digest)
);
select allow_app('recovery_codes', 'select, insert, update, delete');
select protect_rows('recovery_codes', 'user_id');

create table totp_authenticators (
  user_id uuid primary key references users on delete cascade,
  id integer not null default nextval('authenticator_ids'::regclass) unique,
  -- AES-256-GCM, bound to the user: a dump of the table makes no codes.
  secret text not null,
  -- The last step whose code was accepted. A step is never accepted twice.
  last_step bigint not null default -1,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
select allow_app('totp_authenticators', 'select, insert, update, delete');
select protect_rows('totp_authenticators', 'user_id');

create trigger totp_follows_a_proven_address before insert on totp_authenticators
  for each row execute function refuse_before_proof();
