-- As before; but for an account that nobody helps, as most are, it asks no more than that: to begin the statement below takes longer than all
-- other work of a live event.
create or replace function audience_of(owner uuid, roles text[], host text) returns table(person uuid, held jsonb) language plpgsql stable as $$
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
