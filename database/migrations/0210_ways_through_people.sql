-- Ways to act lead only through people who could act now, and grants and payment agreements tie two accounts (docs/decisions/133, 134).

-- True for a person through whose grant others may act: an open account, with a second factor where the grant asks for one.
create function may_pass(person uuid, needs_second_factor boolean) returns boolean
language sql stable as $$
  select exists (
    select from users u where u.id = person and u.is_active and u.access = 'open'
      and (not needs_second_factor or u.factors && array['totp', 'webauthn']))
$$;

create or replace function ways_to_act(person uuid, owner uuid)
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
    and may_pass(p.owner_id, g.needs_second_factor)
$$;

create or replace function audience_of(owner uuid, roles text[], host text)
  returns table (person uuid, held jsonb)
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
  order by accepted_at, person limit 100
$$;

create or replace function is_held(person uuid, held jsonb) returns boolean
language sql stable as $$
  select not exists (
    select from jsonb_array_elements_text(held) as h (key)
    left join account_grants g on g.id = split_part(key, ':', 1)::uuid and g.version::text = split_part(key, ':', 2)
      and g.state = 'active' and (not g.needs_second_factor or exists (
        select from users u where u.id = person and u.factors && array['totp', 'webauthn']))
      and (g.grantee_id = person or may_pass(g.grantee_id, g.needs_second_factor))
    where g.id is null)
$$;

create or replace function helpers_of_ticket(people uuid[], owner uuid, roles text[], host text) returns table (person uuid)
language sql stable as $$
  select distinct p.person from unnest(people) as p (person) cross join lateral ways_to_act(p.person, owner) w
  where w.role = any (roles) and grant_opens(w.grant_id, host, true)
    and exists (
      select from users u where u.id = p.person and u.is_active and u.access <> 'locked'
        and (not w.needs_second_factor or u.factors && array['totp', 'webauthn']))
$$;

-- True for two accounts of which one helps the other, directly or over a helper who passes it on, or pays for the other's servers. What
-- has ended counts for 90 days more: it could be ended for the act and agreed again. An invitation that nobody accepted ties nobody.
create function are_tied(one uuid, other uuid) returns boolean
language sql stable as $$
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
