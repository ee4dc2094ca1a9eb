-- Second factors that staff are asked to take away, because their owner has lost them. Owned by features/customers.
create table factor_resets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  reason text not null check (length(reason) between 1 and 800),
  by uuid references users on delete set null,
  requested_at timestamptz not null default now(),
  due_at timestamptz not null,
  warned_at timestamptz,
  ended_at timestamptz,
  -- SHA-256 of the keys in its mails, each of which stops it.
  token_hashes bytea[] not null,
  status text not null default 'requested' check (status in ('requested', 'vetoed', 'cancelled', 'done')),
  check ((status = 'requested') = (ended_at is null))
);
-- One at a time.
create unique index factor_resets_open on factor_resets (user_id) where status = 'requested';
create index factor_resets_by_key on factor_resets using gin (token_hashes) where status = 'requested';
create index factor_resets_of_user on factor_resets (user_id);
create index factor_resets_due on factor_resets (due_at) where status = 'requested';
select allow_app('factor_resets', 'select, insert, update');
select protect_rows('factor_resets', 'user_id');
