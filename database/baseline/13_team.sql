-- Invitations to the staff. Only the hash of a key is kept: a read of the database lets nobody in.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  -- Lower-cased, in the one form of foundation/email-address.ts. Named here, proven by nobody yet.
  email text not null check ((email = lower(email)) and length(email) <= 254),
  roles text[] not null check (cardinality(roles) > 0 and (roles <@ '{support,billing,admin,owner}'::text[])),
  token_hash bytea not null unique,
  -- Null where the command line invited.
  invited_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_by uuid references users on delete set null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  -- An invitation with the role of an owner, which a second owner confirms before it is mailed. Until then nobody has its key.
  waits boolean not null default false,
  check (accepted_at is null or revoked_at is null)
);
create index invitations_accepted_by on invitations (accepted_by) where accepted_by is not null;
create index invitations_of_inviter on invitations (invited_by) where invited_by is not null;
create unique index one_open_invitation on invitations (email) where accepted_at is null and revoked_at is null;
select allow_app('invitations', 'select, insert, update, delete');
alter table invitations enable row level security;
alter table invitations force row level security;
create policy readable on invitations for select using (true);
create policy inserted_by_system on invitations for insert
  with check (actor_owns(null::uuid));
create policy updated_by_system on invitations for update using (actor_owns(null::uuid))
  with check (actor_owns(null::uuid));
-- Nothing stays that names the address of a customer who deletes the account.
create policy deleted_by_invited on invitations for delete using (actor_owns(accepted_by));
