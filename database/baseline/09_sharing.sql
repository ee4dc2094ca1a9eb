-- Helpers of an account: which account may use whose servers (docs/decisions/098).
create table account_grants (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references users on delete cascade,
  -- As it was invited: lower-cased, in the one form of foundation/email-address.ts.
  email text not null check ((email = lower(email)) and length(email) <= 254),
  -- The account that accepted, by having proven the address.
  grantee_id uuid references users on delete cascade,
  role text not null check (role in ('technical', 'billing', 'full')),
  all_hosts boolean not null,
  needs_second_factor boolean not null default false,
  state text not null default 'invited' check (state in ('invited', 'active', 'declined', 'revoked', 'left', 'expired')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '14 days',
  accepted_at timestamptz,
  ended_at timestamptz,
  -- In minor units; without it the balance is the limit.
  month_limit bigint check (month_limit > 0),
  -- The helper may let others help in turn (docs/decisions/098).
  may_pass_on boolean not null default false,
  check (grantee_id <> owner_id),
  check (state <> 'active' or (grantee_id is not null and accepted_at is not null)),
  check ((ended_at is null) = (state in ('invited', 'active'))),
  -- Money is the whole account's.
  constraint paying_helpers_have_all check (role = 'technical' or all_hosts),
  unique (owner_id, id)
);
create index ended_grants on account_grants (ended_at) where ended_at is not null;
create index grants_by_email on account_grants (email) where state = 'invited';
create index grants_of_grantee on account_grants (grantee_id) where grantee_id is not null;
create unique index one_active_grant on account_grants (owner_id, grantee_id) where state = 'active';
create unique index one_invited_grant on account_grants (owner_id, email) where state = 'invited';
create index open_grants_by_end on account_grants (expires_at) where state = 'invited';
select allow_app('account_grants', 'select, insert, update, delete');
select protect_rows('account_grants', 'owner_id');
-- A helper who closes the account leaves: the grant ends and goes, and nothing else about it can be changed by them.
create policy left_by_helper on account_grants for update using (actor_owns(grantee_id))
  with check (actor_owns(grantee_id) and state = 'left');
create policy deleted_by_helper on account_grants for delete using (actor_owns(grantee_id));

-- The servers of a grant without all_hosts.
create table account_grant_hosts (
  grant_id uuid not null,
  owner_id uuid not null,
  host_id bigint not null,
  foreign key (owner_id, grant_id) references account_grants (owner_id, id) on delete cascade,
  foreign key (owner_id, host_id) references hosts (user_id, id),
  primary key (grant_id, host_id)
);
create index grants_of_host on account_grant_hosts (owner_id, host_id);
select allow_app('account_grant_hosts', 'select, insert, delete');
select protect_rows('account_grant_hosts', 'owner_id');

-- By month, of which the first day (UTC) stands here.
create table grant_spending (
  grant_id uuid not null,
  owner_id uuid not null,
  month date not null,
  spent bigint not null check (spent >= 0),
  foreign key (owner_id, grant_id) references account_grants (owner_id, id) on delete cascade,
  primary key (grant_id, month)
);
create index grant_spending_of_owner on grant_spending (owner_id, grant_id);
select allow_app('grant_spending', 'select, insert, update, delete');
select protect_rows('grant_spending', 'owner_id');
-- Spending of a helper of a helper counts by both grants.
create policy counted_by_both on grant_spending for insert
  with check (coalesce((current_setting('app.through', true) = grant_id::text), false));
create policy counted_again_by_both on grant_spending for update using (coalesce((current_setting('app.through', true) = grant_id::text), false))
  with check (coalesce((current_setting('app.through', true) = grant_id::text), false));

-- Servers that a helper saw until the owner changed the grant: their keys may have been kept (docs/decisions/136).
create table narrowed_grants (
  grant_id uuid not null,
  owner_id uuid not null,
  -- Null if the grant was for all servers.
  host_id bigint,
  ended_at timestamptz not null default now(),
  foreign key (owner_id, grant_id) references account_grants (owner_id, id) on delete cascade
);
create index narrowed_grants_by_age on narrowed_grants (ended_at);
create index narrowed_grants_by_grant on narrowed_grants (grant_id);
create index narrowed_grants_of_owner on narrowed_grants (owner_id, ended_at);
select allow_app('narrowed_grants', 'select, insert, delete');
select protect_rows('narrowed_grants', 'owner_id');

-- True for a person through whose grant others may act: an open account, with a second factor where the grant asks for one.
create function may_pass(person uuid, needs_second_factor boolean) returns boolean language sql stable as $$
  select exists (
    select from users u where u.id = person and u.is_active and u.access = 'open'
      and (not needs_second_factor or u.factors && array['totp', 'webauthn']))
$$;

-- The ways by which a person may act for others: a grant, or a grant of an owner whose helper has passed it on by one of all servers.
-- There is no third level. The role is what both roles allow; the servers are those of the owner's grant.
create function ways_to_act(person uuid, owner uuid)
  returns table(grant_id uuid, through uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean, month_limit bigint)
  language sql stable as $$
  select g.id, null::uuid, g.owner_id, g.role, g.all_hosts, g.needs_second_factor, g.month_limit
  from account_grants g
  where g.grantee_id = person and g.state = 'active' and (owner is null or g.owner_id = owner)
  union all
  select g.id, p.id, g.owner_id, case when g.role = 'full' then p.role else g.role end, g.all_hosts,
    g.needs_second_factor or p.needs_second_factor, least(g.month_limit, p.month_limit)
  from account_grants p join account_grants g on g.grantee_id = p.owner_id and g.state = 'active' and g.may_pass_on
  where p.grantee_id = person and p.state = 'active' and p.all_hosts
    and g.owner_id <> person and (owner is null or g.owner_id = owner)
    and (g.role = p.role or 'full' in (g.role, p.role))
    and may_pass(p.owner_id, g.needs_second_factor)
$$;

-- The grants that a person holds now: without one, there is no way to act for anybody. The statement that reads a session asks it.
create function grants_held(person uuid) returns table(grant_id uuid) language sql stable as $$
  select g.id from account_grants g where g.grantee_id = person and g.state = 'active'
$$;

-- True where a grant opens a server, or a ticket about it (which may be about none, or one that is gone); without a server, for the account.
create function grant_opens(opened uuid, host text, ticket boolean) returns boolean language sql stable as $$
  select case
      when host is null then not ticket or g.all_hosts
      when ticket and g.all_hosts then true
      else exists (
        select from hosts h
        where h.public_id = host and h.user_id = g.owner_id and h.deleted_at is null
          and (g.all_hosts or exists (
            select from account_grant_hosts s where s.grant_id = g.id and s.host_id = h.id)))
    end
  from account_grants g where g.id = opened
$$;

-- Ways to a server or to a ticket about it, to an account, or (without any) to all accounts.
-- PL/pgSQL keeps its plan, as every call of a helper's kind asks this.
create function ways_for(person uuid, owner uuid, host text, ticket boolean)
  returns table(grant_id uuid, through uuid, passed_by uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean, month_limit bigint)
  language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  with asked as (
    select coalesce(owner, (select h.user_id from hosts h where h.public_id = host and h.deleted_at is null)) as id)
  select w.grant_id, w.through, p.owner_id, w.owner_id, w.role, w.all_hosts, w.needs_second_factor, w.month_limit
  from asked cross join lateral ways_to_act(person, asked.id) w left join account_grants p on p.id = w.through
  -- A server that is none opens no account, and so not all of them.
  where (host is null and not ticket) or (w.owner_id = asked.id and grant_opens(w.grant_id, host, ticket));
end
$$;

-- Locks the account of the helper who passes the grant on before the grants, as the deletion of an account does: a block, a lock and the end of
-- a second factor wait for the act, or the act finds the way gone. The person who acts is judged once more, but not held: a sign-in of theirs
-- need not wait for an order.
create function act_for(owner uuid, person uuid, opened uuid, passed_on uuid, roles text[], host text, ticket boolean)
  returns boolean language plpgsql as $$
declare
  actor text := current_setting('app.actor');
begin
  -- Row-level security passes over rows that the actor may not write, and so would leave them unlocked, without a word.
  perform set_config('app.actor', 'system', true);
  perform from users u where u.id = (select g.owner_id from account_grants g where g.id = passed_on) for share;
  perform from account_grants g where g.id in (opened, passed_on) order by g.id for share;
  perform set_config('app.actor', actor, true);
  if not exists (
    select from ways_to_act(person, owner) w join users u on u.id = person
    where w.grant_id = opened and w.through is not distinct from passed_on and w.role = any (roles) and grant_opens(opened, host, ticket)
      and u.is_active and u.access <> 'locked' and (not w.needs_second_factor or u.factors && array['totp', 'webauthn']))
  then
    return false;
  end if;
  perform set_config('app.person', person::text, true);
  perform set_config('app.through', coalesce(passed_on::text, ''), true);
  return true;
end $$;

-- Everybody who may act for an owner now, by each of the ways.
create function people_of(owner uuid)
  returns table(person uuid, grant_id uuid, passed_by uuid, role text, all_hosts boolean) language sql stable as $$
  select g.grantee_id, w.grant_id, p.owner_id, w.role, w.all_hosts
  from (
    select h.grantee_id from account_grants h where h.owner_id = owner and h.state = 'active'
    union
    select q.grantee_id from account_grants h join account_grants q on q.owner_id = h.grantee_id and q.state = 'active'
    where h.owner_id = owner and h.state = 'active' and h.may_pass_on) g
  join users u on u.id = g.grantee_id and u.is_active and u.access <> 'locked'
  cross join lateral ways_to_act(g.grantee_id, owner) w
  left join account_grants p on p.id = w.through
  where not w.needs_second_factor or u.factors && array['totp', 'webauthn']
$$;

-- Everybody whose list of people, or of accounts, changes with what an account may do: the owners for whom it acts, those for whom it acts
-- through a helper, and the people to whom it passes grants on.
create function concerned_by(account uuid) returns table(person uuid) language sql stable as $$
  select g.owner_id from account_grants g where g.grantee_id = account and g.state = 'active'
  union
  select g.owner_id from account_grants p join account_grants g on g.grantee_id = p.owner_id and g.state = 'active' and g.may_pass_on
  where p.grantee_id = account and p.state = 'active' and p.all_hosts and g.owner_id <> account
  union
  select p.grantee_id from account_grants p where p.owner_id = account and p.state = 'active' and p.all_hosts and exists (
    select from account_grants g where g.grantee_id = account and g.state = 'active' and g.may_pass_on)
$$;

-- The people among these who may read a ticket of an owner now.
create function helpers_of_ticket(people uuid[], owner uuid, roles text[], host text)
  returns table(person uuid) language sql stable as $$
  select distinct p.person from unnest(people) as p (person) cross join lateral ways_to_act(p.person, owner) w
  where w.role = any (roles) and grant_opens(w.grant_id, host, true)
    and exists (
      select from users u where u.id = p.person and u.is_active and u.access <> 'locked'
        and (not w.needs_second_factor or u.factors && array['totp', 'webauthn']))
$$;

-- The helpers who hear of something of an owner: at most 100, each once, with the grants by which they hear it.
-- PL/pgSQL keeps its plan. As plain SQL it would be planned with each live event, which takes longer than writing it.
create function audience_of(owner uuid, roles text[], host text) returns table(person uuid, held jsonb) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  with ways as (
    select g.grantee_id as person, g.role, g.id, g.version, null::uuid as passed_on, null::integer as passed_version,
      g.needs_second_factor, g.accepted_at
    from account_grants g where g.owner_id = owner and g.state = 'active'
    union all
    select p.grantee_id, case when g.role = 'full' then p.role else g.role end, g.id, g.version, p.id, p.version,
      g.needs_second_factor or p.needs_second_factor, p.accepted_at
    from account_grants g join account_grants p on p.owner_id = g.grantee_id and p.state = 'active' and p.all_hosts
    where g.owner_id = owner and g.state = 'active' and g.may_pass_on and p.grantee_id <> owner
      and (g.role = p.role or 'full' in (g.role, p.role))
      and may_pass(p.owner_id, g.needs_second_factor))
  select person, held from (
    select distinct on (w.person) w.person, w.accepted_at,
      case when w.passed_on is null then jsonb_build_array(w.id || ':' || w.version)
        else jsonb_build_array(w.id || ':' || w.version, w.passed_on || ':' || w.passed_version) end as held
    from ways w join account_grants g on g.id = w.id
    where w.role = any (roles)
      and (g.all_hosts or (host is not null and exists (
        select from account_grant_hosts s join hosts h on h.id = s.host_id where s.grant_id = w.id and h.public_id = host)))
      and exists (
        select from users u where u.id = w.person and u.is_active and u.access <> 'locked'
          and (not w.needs_second_factor or u.factors && array['totp', 'webauthn']))
    order by w.person, w.passed_on nulls first, w.id) as heard
  order by accepted_at, person limit 100;
end
$$;

-- True while the grants by which somebody heard of something are as they were then.
create function is_held(person uuid, held jsonb) returns boolean language sql stable as $$
  select not exists (
    select from jsonb_array_elements_text(held) as h (key)
    left join account_grants g on g.id = split_part(key, ':', 1)::uuid and g.version::text = split_part(key, ':', 2)
      and g.state = 'active' and (not g.needs_second_factor or exists (
        select from users u where u.id = person and u.factors && array['totp', 'webauthn']))
      and (g.grantee_id = person or may_pass(g.grantee_id, g.needs_second_factor))
    where g.id is null)
$$;

-- True for two accounts of which one helps the other, directly or over a helper who passes it on, or pays for the other's servers. What
-- has ended counts for 90 days more: it could be ended for the act and agreed again. An invitation that nobody accepted ties nobody.
create function are_tied(one uuid, other uuid) returns boolean language sql stable as $$
  select exists (
    select from account_grants g
    where (g.owner_id, g.grantee_id) in ((one, other), (other, one)) and g.accepted_at is not null
      and (g.state = 'active' or g.ended_at > now() - interval '90 days')
  ) or exists (select from ways_to_act(one, other)) or exists (select from ways_to_act(other, one))
  or exists (
    select from payment_agreements a
    where (a.owner_id, a.payer_id) in ((one, other), (other, one)) and a.accepted_at is not null
      and (a.state = 'active' or a.ended_at > now() - interval '90 days'))
$$;

-- The servers that a grant opens.
create function hosts_of_grant(opened uuid) returns table(host_id bigint, public_id text) language sql stable as $$
  select h.id, h.public_id from account_grants g join hosts h on h.user_id = g.owner_id
  where g.id = opened and h.deleted_at is null
    and (g.all_hosts or exists (select from account_grant_hosts s where s.grant_id = g.id and s.host_id = h.id))
$$;
