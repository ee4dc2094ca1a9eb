-- Helpers of an account: which account may use whose servers (docs/decisions/098). Owned by features/sharing.
create table account_grants (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references users on delete cascade,
  -- As it was invited: lower-cased, in the one form of foundation/email-address.ts.
  email text not null check (email = lower(email) and length(email) <= 254),
  -- The account that accepted, by having proven the address.
  grantee_id uuid references users on delete cascade,
  role text not null check (role in ('technical')),
  all_hosts boolean not null,
  needs_second_factor boolean not null default false,
  state text not null default 'invited' check (state in ('invited', 'active', 'declined', 'revoked', 'left', 'expired')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '14 days',
  accepted_at timestamptz,
  ended_at timestamptz,
  unique (owner_id, id),
  check (grantee_id <> owner_id),
  check (state <> 'active' or (grantee_id is not null and accepted_at is not null)),
  check ((ended_at is null) = (state in ('invited', 'active')))
);
create unique index one_invited_grant on account_grants (owner_id, email) where state = 'invited';
create unique index one_active_grant on account_grants (owner_id, grantee_id) where state = 'active';
create index grants_of_grantee on account_grants (grantee_id) where grantee_id is not null;
create index grants_by_email on account_grants (email) where state = 'invited';
create index open_grants_by_end on account_grants (expires_at) where state = 'invited';
create index ended_grants on account_grants (ended_at) where ended_at is not null;
select allow_app('account_grants', 'select, insert, update, delete');
-- Helpers accept, decline and leave in transactions of the system, which name the one row and its states.
select protect_rows('account_grants', 'owner_id');

-- The servers of a grant without all_hosts.
create table account_grant_hosts (
  grant_id uuid not null,
  owner_id uuid not null,
  host_id bigint not null,
  primary key (grant_id, host_id),
  foreign key (owner_id, grant_id) references account_grants (owner_id, id) on delete cascade,
  foreign key (owner_id, host_id) references hosts (user_id, id)
);
create index grants_of_host on account_grant_hosts (owner_id, host_id);
select allow_app('account_grant_hosts', 'select, insert, delete');
select protect_rows('account_grant_hosts', 'owner_id');

-- The grant by which a person may use a server, or (without one) an account. Deleted servers are in no grant.
create function grant_for(person uuid, owner uuid, host text)
  returns table (id uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean)
language sql stable as $$
  select g.id, g.owner_id, g.role, g.all_hosts, g.needs_second_factor
  from account_grants g
  where g.grantee_id = person and g.state = 'active' and (owner is null or g.owner_id = owner)
    and (host is null or exists (
      select from hosts h
      where h.public_id = host and h.user_id = g.owner_id and h.deleted_at is null
        and (g.all_hosts or exists (
          select from account_grant_hosts s where s.grant_id = g.id and s.host_id = h.id))))
$$;

-- Holds the grant of an act until its transaction ends: a revocation waits for it, and refuses the next one. Two statements, because one
-- that waited for the lock would still see the servers of before the wait. False where there is no such grant (any more).
create function act_for(owner uuid, person uuid, roles text[], host text) returns boolean
language plpgsql as $$
begin
  perform from account_grants g
  where g.owner_id = owner and g.grantee_id = person and g.state = 'active' and g.role = any (roles) for share;
  if not found then
    return false;
  end if;
  if not exists (select from grant_for(person, owner, host)) then
    return false;
  end if;
  perform set_config('app.person', person::text, true);
  return true;
end $$;

-- The servers that a grant opens.
create function hosts_of_grant(opened uuid) returns table (host_id bigint, public_id text)
language sql stable as $$
  select h.id, h.public_id from account_grants g join hosts h on h.user_id = g.owner_id
  where g.id = opened and h.deleted_at is null
    and (g.all_hosts or exists (select from account_grant_hosts s where s.grant_id = g.id and s.host_id = h.id))
$$;

-- A helper who closes the account leaves: the grant ends and goes, and nothing else about it can be changed by them.
create policy left_by_helper on account_grants for update
  using (actor_owns(grantee_id)) with check (actor_owns(grantee_id) and state = 'left');
create policy deleted_by_helper on account_grants for delete using (actor_owns(grantee_id));
