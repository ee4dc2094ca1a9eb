-- The tables of features/sharing with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- The servers of a grant without all_hosts.
create table account_grant_hosts (
  grant_id uuid not null,
  owner_id uuid not null,
  host_id bigint not null,
  constraint account_grant_hosts_pkey primary key (grant_id, host_id),
  constraint account_grant_hosts_owner_id_grant_id_fkey foreign key (owner_id, grant_id) references account_grants(owner_id, id) on delete cascade,
  constraint account_grant_hosts_owner_id_host_id_fkey foreign key (owner_id, host_id) references hosts(user_id, id)
);
create index grants_of_host on account_grant_hosts (owner_id, host_id);
grant delete, insert, select on account_grant_hosts to hostdesk_app;
alter table account_grant_hosts enable row level security;
alter table account_grant_hosts force row level security;
create policy deleted_by_owner on account_grant_hosts for delete using (actor_owns(owner_id));
create policy inserted_by_owner on account_grant_hosts for insert with check (actor_owns(owner_id));
create policy readable on account_grant_hosts for select using (true);
create policy updated_by_owner on account_grant_hosts for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));

-- Helpers of an account: which account may use whose servers (docs/decisions/098).
create table account_grants (
  id uuid default gen_random_uuid() not null,
  owner_id uuid not null,
  -- As it was invited: lower-cased, in the one form of foundation/email-address.ts.
  email text not null,
  -- The account that accepted, by having proven the address.
  grantee_id uuid,
  role text not null,
  all_hosts boolean not null,
  needs_second_factor boolean default false not null,
  state text default 'invited'::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default now() + '14 days'::interval not null,
  accepted_at timestamp with time zone,
  ended_at timestamp with time zone,
  -- In minor units; without it the balance is the limit.
  month_limit bigint,
  -- The helper may let others help in turn (docs/decisions/098).
  may_pass_on boolean default false not null,
  -- Tokens of an account: helpers that are no person (docs/decisions/166). A token is known by the id of its grant.
  grantee_kind text default 'person'::text not null,
  constraint account_grants_pkey primary key (id),
  constraint account_grants_owner_id_id_key unique (owner_id, id),
  constraint account_grants_grantee_id_fkey foreign key (grantee_id) references users(id) on delete cascade,
  constraint account_grants_owner_id_fkey foreign key (owner_id) references users(id) on delete cascade,
  constraint account_grants_check check (grantee_id <> owner_id),
  constraint account_grants_check2 check ((ended_at is null) = (state = any (array['invited'::text, 'active'::text]))),
  constraint account_grants_email_check check (email = lower(email) and length(email) <= 254),
  constraint account_grants_month_limit_check check (month_limit > 0),
  constraint account_grants_role_check check (role = any (array['technical'::text, 'billing'::text, 'full'::text, 'read'::text])),
  constraint account_grants_state_check check (state = any (array['invited'::text, 'active'::text, 'declined'::text, 'revoked'::text, 'left'::text, 'expired'::text])),
  constraint active_grants_are_accepted check (state <> 'active'::text or accepted_at is not null and (grantee_id is not null or grantee_kind = 'token'::text)),
  constraint grantee_kind_is_known check (grantee_kind = any (array['person'::text, 'token'::text])),
  constraint paying_helpers_have_all check (role = 'technical'::text or all_hosts),
  constraint tokens_are_nobody check (grantee_kind = 'person'::text or grantee_id is null and state <> 'invited'::text)
);
create index ended_grants on account_grants (ended_at) where ended_at is not null;
create index grants_by_email on account_grants (email) where state = 'invited'::text;
create index grants_of_grantee on account_grants (grantee_id) where grantee_id is not null;
create unique index one_active_grant on account_grants (owner_id, grantee_id) where state = 'active'::text;
create unique index one_invited_grant on account_grants (owner_id, email) where state = 'invited'::text;
create index open_grants_by_end on account_grants (expires_at) where state = 'invited'::text;
grant delete, insert, select, update on account_grants to hostdesk_app;
alter table account_grants enable row level security;
alter table account_grants force row level security;
create policy deleted_by_helper on account_grants for delete using (actor_owns(grantee_id));
create policy deleted_by_owner on account_grants for delete using (actor_owns(owner_id));
create policy inserted_by_owner on account_grants for insert with check (actor_owns(owner_id));
create policy left_by_helper on account_grants for update using (actor_owns(grantee_id)) with check (actor_owns(grantee_id) and state = 'left'::text);
create policy readable on account_grants for select using (true);
create policy updated_by_owner on account_grants for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));

create table account_tokens (
  id uuid not null,
  owner_id uuid not null,
  name text not null,
  token_hash bytea not null,
  -- The prefix and the last letters, by which an owner knows the token again.
  hint text not null,
  created_at timestamp with time zone default now() not null,
  -- Null for a token that lives as long as it is used.
  expires_at timestamp with time zone,
  -- Written once a minute at most.
  last_used_at timestamp with time zone,
  last_used_ip inet,
  -- The days before its end of the last mail that warned; null while none did.
  warned_days smallint,
  ended_why text,
  number bigint generated always as identity not null,
  listened_at timestamp with time zone,
  constraint account_tokens_pkey primary key (id),
  constraint account_tokens_number_key unique (number),
  constraint account_tokens_token_hash_key unique (token_hash),
  constraint account_tokens_owner_id_id_fkey foreign key (owner_id, id) references account_grants(owner_id, id) on delete cascade,
  constraint account_tokens_ended_why_check check (ended_why = any (array['owner'::text, 'self'::text, 'staff'::text, 'leak'::text, 'expired'::text, 'transfer'::text])),
  constraint account_tokens_hint_check check (length(hint) <= 20),
  constraint account_tokens_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint account_tokens_token_hash_check check (length(token_hash) = 32)
);
create index account_tokens_of_owner on account_tokens (owner_id, created_at);
grant delete, insert, select, update on account_tokens to hostdesk_app;
alter table account_tokens enable row level security;
alter table account_tokens force row level security;
create policy deleted_by_owner on account_tokens for delete using (actor_owns(owner_id));
create policy inserted_by_owner on account_tokens for insert with check (actor_owns(owner_id));
create policy readable on account_tokens for select using (true);
create policy updated_by_owner on account_tokens for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));

-- By month, of which the first day (UTC) stands here.
create table grant_spending (
  grant_id uuid not null,
  owner_id uuid not null,
  month date not null,
  spent bigint not null,
  constraint grant_spending_pkey primary key (grant_id, month),
  constraint grant_spending_owner_id_grant_id_fkey foreign key (owner_id, grant_id) references account_grants(owner_id, id) on delete cascade,
  constraint grant_spending_spent_check check (spent >= 0)
);
create index grant_spending_of_owner on grant_spending (owner_id, grant_id);
grant delete, insert, select, update on grant_spending to hostdesk_app;
alter table grant_spending enable row level security;
alter table grant_spending force row level security;
create policy counted_again_by_both on grant_spending for update using (coalesce(current_setting('app.through'::text, true) = grant_id::text, false)) with check (coalesce(current_setting('app.through'::text, true) = grant_id::text, false));
create policy counted_by_both on grant_spending for insert with check (coalesce(current_setting('app.through'::text, true) = grant_id::text, false));
create policy deleted_by_owner on grant_spending for delete using (actor_owns(owner_id));
create policy inserted_by_owner on grant_spending for insert with check (actor_owns(owner_id));
create policy readable on grant_spending for select using (true);
create policy updated_by_owner on grant_spending for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));

-- Servers that a helper saw until the owner changed the grant: their keys may have been kept (docs/decisions/136).
create table narrowed_grants (
  grant_id uuid not null,
  owner_id uuid not null,
  -- Null if the grant was for all servers.
  host_id bigint,
  ended_at timestamp with time zone default now() not null,
  constraint narrowed_grants_owner_id_grant_id_fkey foreign key (owner_id, grant_id) references account_grants(owner_id, id) on delete cascade
);
create index narrowed_grants_by_age on narrowed_grants (ended_at);
create index narrowed_grants_by_grant on narrowed_grants (grant_id);
create index narrowed_grants_of_owner on narrowed_grants (owner_id, ended_at);
grant delete, insert, select on narrowed_grants to hostdesk_app;
alter table narrowed_grants enable row level security;
alter table narrowed_grants force row level security;
create policy deleted_by_owner on narrowed_grants for delete using (actor_owns(owner_id));
create policy inserted_by_owner on narrowed_grants for insert with check (actor_owns(owner_id));
create policy readable on narrowed_grants for select using (true);
create policy updated_by_owner on narrowed_grants for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));

-- Locks the account of the helper who passes the grant on before the grants, as the deletion of an account does: a block, a lock and the end of
-- a second factor wait for the act, or the act finds the way gone. The person who acts is judged once more, but not held: a sign-in of theirs
-- need not wait for an order.
create function act_for(owner uuid, person uuid, opened uuid, passed_on uuid, roles text[], host text, ticket boolean)
 returns boolean
 language plpgsql
as $$
declare
  actor text := current_setting('app.actor');
  acting text;
begin
  -- Row-level security passes over rows that the actor may not write, and so would leave them unlocked, without a word.
  perform set_config('app.actor', 'system', true);
  perform from users u where u.id = (select g.owner_id from account_grants g where g.id = passed_on) for share;
  perform from account_grants g where g.id in (opened, passed_on) order by g.id for share;
  perform set_config('app.actor', actor, true);
  select w.role into acting from ways_to_act(person, owner) w
  where w.grant_id = opened and w.through is not distinct from passed_on and w.role = any (roles) and grant_opens(opened, host, ticket)
    and may_act(person, w.needs_second_factor);
  if acting is null then
    return false;
  end if;
  perform set_config('app.person', person::text, true);
  perform set_config('app.through', coalesce(passed_on::text, ''), true);
  if acting = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return true;
end $$;

-- The helpers who hear of something of an owner: at most 100, each once, with the grants by which they hear it.
-- PL/pgSQL keeps its plan. As plain SQL it would be planned with each live event, which takes longer than writing it.
create function audience_of(owner uuid, roles text[], host text)
 returns table(person uuid, held jsonb)
 language plpgsql
 stable
as $$
#variable_conflict use_column
begin
  if not exists (select from account_grants g where g.owner_id = owner and g.state = 'active') then
    return;
  end if;
  return query
  with ways as (
    select g.grantee_id as person, g.role, g.id, g.version, null::uuid as passed_on, null::integer as passed_version,
      g.needs_second_factor, g.accepted_at
    from account_grants g where g.owner_id = owner and g.state = 'active' and g.grantee_kind = 'person'
    union all
    select g.id, g.role, g.id, g.version, null, null, false, g.accepted_at
    from account_tokens t join account_grants g on g.id = t.id and g.state = 'active'
    where t.owner_id = owner and t.listened_at > now() - interval '1 day'
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
      and (exists (
          select from users u where u.id = w.person and u.is_active and u.access <> 'locked'
            and (not w.needs_second_factor or u.factors && array['totp', 'webauthn']))
        or (w.person = w.id and token_lives(w.id)))
    order by w.person, w.passed_on nulls first, w.id) as heard
  order by accepted_at, person limit 100;
end
$$;

-- Everybody whose list of people, or of accounts, changes with what an account may do: the owners for whom it acts, those for whom it acts
-- through a helper, and the people to whom it passes grants on.
create function concerned_by(account uuid)
 returns table(person uuid)
 language sql
 stable
as $$
  select g.owner_id from account_grants g where g.grantee_id = account and g.state = 'active'
  union
  select g.owner_id from account_grants p join account_grants g on g.grantee_id = p.owner_id and g.state = 'active' and g.may_pass_on
  where p.grantee_id = account and p.state = 'active' and p.all_hosts and g.owner_id <> account
  union
  select p.grantee_id from account_grants p where p.owner_id = account and p.state = 'active' and p.all_hosts and exists (
    select from account_grants g where g.grantee_id = account and g.state = 'active' and g.may_pass_on)
$$;

-- True where a grant opens a server, or a ticket about it (which may be about none, or one that is gone); without a server, for the account.
create function grant_opens(opened uuid, host text, ticket boolean)
 returns boolean
 language sql
 stable
as $$
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

-- The grants that a person holds now: without one, there is no way to act for anybody. The statement that reads a session asks it.
create function grants_held(person uuid)
 returns table(grant_id uuid)
 language sql
 stable
as $$
  select g.id from account_grants g where g.grantee_id = person and g.state = 'active'
$$;

-- The people among these who may read a ticket of an owner now.
create function helpers_of_ticket(people uuid[], owner uuid, roles text[], host text)
 returns table(person uuid)
 language sql
 stable
as $$
  select distinct p.person from unnest(people) as p (person) cross join lateral ways_to_act(p.person, owner) w
  where w.role = any (roles) and grant_opens(w.grant_id, host, true)
    and exists (
      select from users u where u.id = p.person and u.is_active and u.access <> 'locked'
        and (not w.needs_second_factor or u.factors && array['totp', 'webauthn']))
$$;

-- The servers that a grant opens.
create function hosts_of_grant(opened uuid)
 returns table(host_id bigint, public_id text)
 language sql
 stable
as $$
  select h.id, h.public_id from account_grants g join hosts h on h.user_id = g.owner_id
  where g.id = opened and h.deleted_at is null
    and (g.all_hosts or exists (select from account_grant_hosts s where s.grant_id = g.id and s.host_id = h.id))
$$;

-- True while the grants by which somebody heard of something are as they were then.
create function is_held(person uuid, held jsonb)
 returns boolean
 language sql
 stable
as $$
  select not exists (
    select from jsonb_array_elements_text(held) as h (key)
    left join account_grants g on g.id = split_part(key, ':', 1)::uuid and g.version::text = split_part(key, ':', 2)
      and g.state = 'active' and (not g.needs_second_factor or exists (
        select from users u where u.id = person and u.factors && array['totp', 'webauthn']))
      and (person in (g.grantee_id, g.id) or may_pass(g.grantee_id, g.needs_second_factor))
    where g.id is null)
$$;

-- True for a person, or a token, that may act for others now.
create function may_act(person uuid, needs_second_factor boolean)
 returns boolean
 language sql
 stable
as $$
  select exists (
    select from users u where u.id = person and u.is_active and u.access <> 'locked'
      and (not needs_second_factor or u.factors && array['totp', 'webauthn']))
  or (not needs_second_factor and token_lives(person))
$$;

-- Everybody who may act for an owner now, by each of the ways.
create function people_of(owner uuid)
 returns table(person uuid, grant_id uuid, passed_by uuid, role text, all_hosts boolean)
 language sql
 stable
as $$
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

-- True while the token with this number may act.
create function program_lives(program bigint)
 returns boolean
 language sql
 stable
as $$
  select exists (select from account_tokens t where t.number = program and token_lives(t.id))
$$;

-- The moment at which a token ends by itself: as chosen, or 90 days after it was used last.
create function token_ends_at(t account_tokens)
 returns timestamp with time zone
 language sql
 stable
as $$
  select coalesce(t.expires_at, greatest(t.created_at, t.last_used_at) + interval '90 days')
$$;

-- True while a token may act: neither ended nor past its end, and its owner may sign in.
create function token_lives(token uuid)
 returns boolean
 language sql
 stable
as $$
  select exists (
    select from account_tokens t join account_grants g on g.id = t.id and g.state = 'active'
    join users u on u.id = t.owner_id and u.is_active and u.access <> 'locked'
    where t.id = token and token_ends_at(t) > now())
$$;

-- Ways to a server or to a ticket about it, to an account, or (without any) to all accounts.
-- PL/pgSQL keeps its plan, as every call of a helper's kind asks this.
create function ways_for(person uuid, owner uuid, host text, ticket boolean)
 returns table(grant_id uuid, through uuid, passed_by uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean, month_limit bigint)
 language plpgsql
 stable
as $$
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

-- The ways by which a person may act for others: a grant, or a grant of an owner whose helper has passed it on by one of all servers.
-- There is no third level. The role is what both roles allow; the servers are those of the owner's grant.
create function ways_to_act(person uuid, owner uuid)
 returns table(grant_id uuid, through uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean, month_limit bigint)
 language sql
 stable
as $$
  select g.id, null::uuid, g.owner_id, g.role, g.all_hosts, g.needs_second_factor, g.month_limit
  from account_grants g
  where (g.grantee_id = person or (g.id = person and g.grantee_kind = 'token')) and g.state = 'active'
    and (owner is null or g.owner_id = owner)
  union all
  select g.id, p.id, g.owner_id, case when g.role = 'full' then p.role else g.role end, g.all_hosts,
    g.needs_second_factor or p.needs_second_factor, least(g.month_limit, p.month_limit)
  from account_grants p join account_grants g on g.grantee_id = p.owner_id and g.state = 'active' and g.may_pass_on
  where p.grantee_id = person and p.state = 'active' and p.all_hosts
    and g.owner_id <> person and (owner is null or g.owner_id = owner)
    and (g.role = p.role or 'full' in (g.role, p.role))
    and may_pass(p.owner_id, g.needs_second_factor)
$$;
