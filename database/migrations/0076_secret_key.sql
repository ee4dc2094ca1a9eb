-- The fingerprint of SECRET_KEY, so that a process with another key does not start. Owned by foundation/server/key-change.
create table secret_keys (
  fingerprint text primary key,
  made_at timestamptz not null default now(),
  retired_at timestamptz,
  -- Of a retired key, what hashes short secrets that are kept nowhere in clear (vouchers), sealed with the present key.
  digests text
);
create unique index secret_keys_present on secret_keys ((retired_at is null)) where retired_at is null;
select allow_app('secret_keys', 'select');
