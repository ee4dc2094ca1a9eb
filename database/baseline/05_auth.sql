-- Keys of the links that set another password. Several may be outstanding; each is used up by deleting its row.
-- Only the hash is kept, so that a read of the database resets nothing.
create table password_reset_keys (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index password_reset_keys_by_age on password_reset_keys (expires_at);
create index password_reset_keys_of_user on password_reset_keys (user_id);
select allow_app('password_reset_keys', 'select, insert, delete');
select protect_rows('password_reset_keys', 'user_id');
