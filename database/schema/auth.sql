-- The tables of features/auth with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Keys of the links that set another password. Several may be outstanding; each is used up by deleting its row.
-- Only the hash is kept, so that a read of the database resets nothing.
create table password_reset_keys (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint password_reset_keys_pkey primary key (token_hash),
  constraint password_reset_keys_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index password_reset_keys_by_age on password_reset_keys (expires_at);
create index password_reset_keys_of_user on password_reset_keys (user_id);
grant delete, insert, select on password_reset_keys to hostdesk_app;
alter table password_reset_keys enable row level security;
alter table password_reset_keys force row level security;
create policy deleted_by_owner on password_reset_keys for delete using (actor_owns(user_id));
create policy inserted_by_owner on password_reset_keys for insert with check (actor_owns(user_id));
create policy readable on password_reset_keys for select using (true);
create policy updated_by_owner on password_reset_keys for update using (actor_owns(user_id)) with check (actor_owns(user_id));
