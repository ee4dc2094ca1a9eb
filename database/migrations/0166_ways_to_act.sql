-- Helpers of helpers, tickets for helpers, live events for helpers (docs/decisions/110). Owned by features/sharing.
alter table account_grants add column may_pass_on boolean not null default false;

-- The ways by which a person may act for others: a grant, or a grant of an owner whose helper has passed it on by one of all servers.
-- There is no third level. The role is what both roles allow; the servers are those of the owner's grant.
create function ways_to_act(person uuid, owner uuid)
  returns table (grant_id uuid, through uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean, month_limit bigint)
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
$$;

-- True where a grant opens a server, or a ticket about it (which may be about none, or one that is gone); without a server, for the account.
create function grant_opens(opened uuid, host text, ticket boolean) returns boolean
language sql stable as $$
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
create function ways_for(person uuid, owner uuid, host text, ticket boolean)
  returns table (grant_id uuid, through uuid, passed_by uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean,
    month_limit bigint)
language sql stable as $$
  with asked as (
    select coalesce(owner, (select h.user_id from hosts h where h.public_id = host and h.deleted_at is null)) as id)
  select w.grant_id, w.through, p.owner_id, w.owner_id, w.role, w.all_hosts, w.needs_second_factor, w.month_limit
  from asked cross join lateral ways_to_act(person, asked.id) w left join account_grants p on p.id = w.through
  -- A server that is none opens no account, and so not all of them.
  where (host is null and not ticket) or (w.owner_id = asked.id and grant_opens(w.grant_id, host, ticket))
$$;

-- The people among these who may read a ticket of an owner now.
create function helpers_of_ticket(people uuid[], owner uuid, roles text[], host text) returns table (person uuid)
language sql stable as $$
  select distinct p.person from unnest(people) as p (person) cross join lateral ways_to_act(p.person, owner) w
  where w.role = any (roles) and grant_opens(w.grant_id, host, true)
    and (not w.needs_second_factor or exists (
      select from users u where u.id = p.person and u.factors && array['totp', 'webauthn']))
$$;

-- Holds the grants of an act until its transaction ends: a revocation of either waits for it, and refuses the next one. Two statements,
-- because one that waited for the lock would still see what was before the wait. False where there is no such way (any more).
create function act_for(owner uuid, person uuid, opened uuid, passed_on uuid, roles text[], host text, ticket boolean) returns boolean
language plpgsql as $$
declare
  actor text := current_setting('app.actor');
begin
  -- Row-level security passes over rows that the actor may not write, and so would leave the helper's own grant unlocked, without a word.
  perform set_config('app.actor', 'system', true);
  perform from account_grants g where g.id in (opened, passed_on) order by g.id for share;
  perform set_config('app.actor', actor, true);
  if not exists (
    select from ways_to_act(person, owner) w
    where w.grant_id = opened and w.through is not distinct from passed_on and w.role = any (roles) and grant_opens(opened, host, ticket))
  then
    return false;
  end if;
  perform set_config('app.person', person::text, true);
  perform set_config('app.through', coalesce(passed_on::text, ''), true);
  return true;
end $$;

-- The helper for whom this transaction writes the owner's rows.
create function acts_as(person uuid) returns boolean
language sql stable as $$
  select coalesce(current_setting('app.person', true) = person::text, false)
$$;

-- Spending of a helper of a helper counts by both grants.
create policy counted_by_both on grant_spending for insert
  with check (coalesce(current_setting('app.through', true) = grant_id::text, false));
create policy counted_again_by_both on grant_spending for update
  using (coalesce(current_setting('app.through', true) = grant_id::text, false))
  with check (coalesce(current_setting('app.through', true) = grant_id::text, false));

-- Helpers have read marks of their own, in the count of the customer's side.
alter table ticket_readers add column is_helper boolean not null default false;
create policy marked_by_helper on ticket_readers for insert with check (acts_as(user_id) and is_helper);
create policy moved_by_helper on ticket_readers for update using (acts_as(user_id)) with check (acts_as(user_id) and is_helper);

-- A file that a helper attaches is the owner's from then on, and counts for the owner.
create policy given_by_helper on attachments for update
  using (ticket_id is null and acts_as(user_id)) with check (actor_owns(user_id) and ticket_id is not null);
create policy given_by_helper on kept_bytes for update using (acts_as(user_id)) with check (acts_as(user_id));

-- The helpers who hear of something of an owner: at most 100, each once, with the grants by which they hear it.
create function audience_of(owner uuid, roles text[], host text) returns table (person uuid, held jsonb)
language sql stable as $$
  with ways as (
    select g.grantee_id as person, g.role, g.id, g.version, null::uuid as passed_on, null::integer as passed_version,
      g.needs_second_factor, g.accepted_at
    from account_grants g where g.owner_id = owner and g.state = 'active'
    union all
    select p.grantee_id, case when g.role = 'full' then p.role else g.role end, g.id, g.version, p.id, p.version,
      g.needs_second_factor or p.needs_second_factor, p.accepted_at
    from account_grants g join account_grants p on p.owner_id = g.grantee_id and p.state = 'active' and p.all_hosts
    where g.owner_id = owner and g.state = 'active' and g.may_pass_on and p.grantee_id <> owner
      and (g.role = p.role or 'full' in (g.role, p.role)))
  select person, held from (
    select distinct on (w.person) w.person, w.accepted_at,
      case when w.passed_on is null then jsonb_build_array(w.id || ':' || w.version)
        else jsonb_build_array(w.id || ':' || w.version, w.passed_on || ':' || w.passed_version) end as held
    from ways w join account_grants g on g.id = w.id
    where w.role = any (roles)
      and (g.all_hosts or (host is not null and exists (
        select from account_grant_hosts s join hosts h on h.id = s.host_id where s.grant_id = w.id and h.public_id = host)))
      and (not w.needs_second_factor or exists (
        select from users u where u.id = w.person and u.factors && array['totp', 'webauthn']))
    order by w.person, w.passed_on nulls first, w.id) as heard
  order by accepted_at, person limit 100
$$;

-- True while the grants by which somebody heard of something are as they were then.
create function is_held(person uuid, held jsonb) returns boolean
language sql stable as $$
  select not exists (
    select from jsonb_array_elements_text(held) as h (key)
    left join account_grants g on g.id = split_part(key, ':', 1)::uuid and g.version::text = split_part(key, ':', 2)
      and g.state = 'active' and (not g.needs_second_factor or exists (
        select from users u where u.id = person and u.factors && array['totp', 'webauthn']))
    where g.id is null)
$$;
