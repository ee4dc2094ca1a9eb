-- What calls with an Idempotency-Key did. Owned by foundation/server/idempotency.

-- A row is written in the transaction of the effect itself: both stand, or neither. Two calls with one key meet at the
-- primary key, where the second waits for the first and then answers as it did.
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null check (length(key) between 1 and 255),
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
