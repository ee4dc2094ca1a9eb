-- Tokens of an account: helpers that are no person (docs/decisions/166). A token is known by the id of its grant.
alter table account_grants
  add column grantee_kind text not null default 'person'
    constraint grantee_kind_is_known check (grantee_kind in ('person', 'token')),
  add constraint tokens_are_nobody check (grantee_kind = 'person' or (grantee_id is null and state <> 'invited')),
  drop constraint account_grants_check1,
  add constraint active_grants_are_accepted
    check (state <> 'active' or (accepted_at is not null and (grantee_id is not null or grantee_kind = 'token')));

create table account_tokens (
  id uuid primary key,
  owner_id uuid not null,
  name text not null check (length(name) >= 1 and length(name) <= 100),
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- The prefix and the last letters, by which an owner knows the token again.
  hint text not null check (length(hint) <= 20),
  created_at timestamptz not null default now(),
  -- Null for a token that lives as long as it is used.
  expires_at timestamptz,
  -- Written once a minute at most.
  last_used_at timestamptz,
  last_used_ip inet,
  -- The days before its end of the last mail that warned; null while none did.
  warned_days smallint,
  ended_why text check (ended_why in ('owner', 'self', 'staff', 'leak', 'expired')),
  foreign key (owner_id, id) references account_grants (owner_id, id) on delete cascade
);
create index account_tokens_of_owner on account_tokens (owner_id, created_at);
select allow_app('account_tokens', 'select, insert, update, delete');
select protect_rows('account_tokens', 'owner_id');

-- The moment at which a token ends by itself: as chosen, or 90 days after it was used last.
create function token_ends_at(t account_tokens) returns timestamptz language sql stable as $$
  select coalesce(t.expires_at, greatest(t.created_at, t.last_used_at) + interval '90 days')
$$;

-- True while a token may act: neither ended nor past its end, and its owner may sign in.
create function token_lives(token uuid) returns boolean language sql stable as $$
  select exists (
    select from account_tokens t join account_grants g on g.id = t.id and g.state = 'active'
    join users u on u.id = t.owner_id and u.is_active and u.access <> 'locked'
    where t.id = token and token_ends_at(t) > now())
$$;

-- The names of the tokens among these, for whoever shows who acted.
create function token_names(ids uuid[]) returns table(id uuid, name text) language sql stable as $$
  select t.id, t.name from account_tokens t where t.id = any (ids)
$$;

-- Read marks of tokens, as those of helpers; they go with the ticket.
alter table ticket_readers drop constraint ticket_readers_user_id_fkey;

-- True for a person, or a token, that may act for others now.
create function may_act(person uuid, needs_second_factor boolean) returns boolean language sql stable as $$
  select exists (
    select from users u where u.id = person and u.is_active and u.access <> 'locked'
      and (not needs_second_factor or u.factors && array['totp', 'webauthn']))
  or (not needs_second_factor and token_lives(person))
$$;

-- As before, and by a token: it has its own grant, and nobody passes one on to it.
create or replace function ways_to_act(person uuid, owner uuid)
  returns table(grant_id uuid, through uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean, month_limit bigint)
  language sql stable as $$
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

-- As before, for tokens too.
create or replace function act_for(owner uuid, person uuid, opened uuid, passed_on uuid, roles text[], host text, ticket boolean)
  returns boolean language plpgsql as $$
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
