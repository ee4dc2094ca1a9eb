-- Links by which customers download what is kept about them, mailed when staff are asked for it. Owned by features/profile.
create table data_exports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- SHA-256 of the key in the mail.
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index data_exports_of_user on data_exports (user_id);
select allow_app('data_exports', 'select, insert, delete');
select protect_rows('data_exports', 'user_id');
