-- The tables of features/team with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Invitations to the staff. Only the hash of a key is kept: a read of the database lets nobody in.
create table invitations (
  id uuid default gen_random_uuid() not null,
  -- Lower-cased, in the one form of foundation/email-address.ts. Named here, proven by nobody yet.
  email text not null,
  roles text[] not null,
  token_hash bytea not null,
  -- Null where the command line invited.
  invited_by uuid,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  accepted_by uuid,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  -- An invitation with the role of an owner, which a second owner confirms before it is mailed. Until then nobody has its key.
  waits boolean default false not null,
  constraint invitations_pkey primary key (id),
  constraint invitations_token_hash_key unique (token_hash),
  constraint invitations_accepted_by_fkey foreign key (accepted_by) references users(id) on delete set null,
  constraint invitations_invited_by_fkey foreign key (invited_by) references users(id) on delete set null,
  constraint invitations_check check (accepted_at is null or revoked_at is null),
  constraint invitations_email_check check (email = lower(email) and length(email) <= 254),
  constraint invitations_roles_check check (cardinality(roles) > 0 and roles <@ '{support,billing,admin,owner}'::text[])
);
create index invitations_accepted_by on invitations (accepted_by) where accepted_by is not null;
create index invitations_of_inviter on invitations (invited_by) where invited_by is not null;
create unique index one_open_invitation on invitations (email) where accepted_at is null and revoked_at is null;
grant delete, insert, select, update on invitations to hostdesk_app;
alter table invitations enable row level security;
alter table invitations force row level security;
create policy deleted_by_invited on invitations for delete using (actor_owns(accepted_by));
create policy inserted_by_system on invitations for insert with check (actor_owns(null::uuid));
create policy readable on invitations for select using (true);
create policy updated_by_system on invitations for update using (actor_owns(null::uuid)) with check (actor_owns(null::uuid));

create table robot_tokens (
  id uuid default gen_random_uuid() not null,
  robot_id uuid not null,
  name text not null,
  token_hash bytea not null,
  -- The prefix and the last letters, by which the team knows the token again.
  hint text not null,
  made_by uuid,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  -- Written once a minute at most.
  last_used_at timestamp with time zone,
  last_used_ip inet,
  -- The days before its end of the last mail that warned; null while none did.
  warned_days smallint,
  ended_at timestamp with time zone,
  ended_why text,
  constraint robot_tokens_pkey primary key (id),
  constraint robot_tokens_token_hash_key unique (token_hash),
  constraint robot_tokens_made_by_fkey foreign key (made_by) references users(id) on delete set null,
  constraint robot_tokens_robot_id_fkey foreign key (robot_id) references robots(id) on delete cascade,
  constraint robot_tokens_check check ((ended_at is null) = (ended_why is null)),
  constraint robot_tokens_ended_why_check check (ended_why = any (array['owner'::text, 'robot'::text, 'leak'::text, 'expired'::text])),
  constraint robot_tokens_hint_check check (length(hint) <= 20),
  constraint robot_tokens_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint robot_tokens_token_hash_check check (length(token_hash) = 32)
);
create index robot_tokens_of_maker on robot_tokens (made_by) where made_by is not null;
create index robot_tokens_of_robot on robot_tokens (robot_id, created_at);
grant insert, select on robot_tokens to hostdesk_app;
alter table robot_tokens enable row level security;
alter table robot_tokens force row level security;
create policy inserted_by_system on robot_tokens for insert with check (actor_owns(null::uuid));
create policy readable on robot_tokens for select using (true);
create policy updated_by_system on robot_tokens for update using (actor_owns(null::uuid)) with check (actor_owns(null::uuid));

create table robots (
  id uuid not null,
  name text not null,
  -- Null where the command line made it.
  made_by uuid,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint robots_pkey primary key (id),
  constraint robots_id_fkey foreign key (id) references users(id) on delete cascade,
  constraint robots_made_by_fkey foreign key (made_by) references users(id) on delete set null,
  constraint robots_name_check check (length(name) >= 1 and length(name) <= 100)
);
create index robots_of_maker on robots (made_by) where made_by is not null;
grant insert, select on robots to hostdesk_app;
alter table robots enable row level security;
alter table robots force row level security;
create policy inserted_by_system on robots for insert with check (actor_owns(null::uuid));
create policy readable on robots for select using (true);
create policy updated_by_system on robots for update using (actor_owns(null::uuid)) with check (actor_owns(null::uuid));

-- The time until which two members decide nothing of each other, because one brought the other in, or both were brought in by a third, within
-- 14 days; null where they may decide. Of several ways the one that holds longest counts, and each way ends with its first link.
create function introduced_until(one uuid, other uuid)
 returns timestamp with time zone
 language sql
 stable
as $$
  with recursive reached (id, until) as (
    select behind, 'infinity'::timestamptz from people_behind(one) behind
    union
    select case when i.by_id = r.id then i.member_id else i.by_id end, least(r.until, i.at + interval '14 days')
    from reached r join introductions i on r.id in (i.by_id, i.member_id)
    where i.at > now() - interval '14 days')
  select max(until) from reached where id = other and one <> other
$$;

-- The people who hold what a member holds: the member, or those who made a robot or a token of it. What a person may not do for
-- an account of their own, or may not confirm, their robot may not either.
create function people_behind(member uuid)
 returns setof uuid
 language sql
 stable
as $$
  select member
  union select r.made_by from robots r where r.id = member and r.made_by is not null
  union select t.made_by from robot_tokens t where t.robot_id = member and t.made_by is not null
$$;

-- The names of the tokens among these, for whoever shows who acted.
create function token_names(ids uuid[])
 returns table(id uuid, name text)
 language sql
 stable
as $$
  select t.id, t.name from account_tokens t where t.id = any (ids)
  union all select r.id, r.name from robots r where r.id = any (ids)
$$;
