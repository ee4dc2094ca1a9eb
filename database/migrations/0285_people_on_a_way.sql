-- An act by a grant that is passed on holds the helper who passes it on, and the owner reads everybody who may act (docs/decisions/143).

-- Locks the account of the helper who passes the grant on before the grants, as the deletion of an account does: a block, a lock and the end of
-- a second factor wait for the act, or the act finds the way gone. The person who acts is judged once more, but not held: a sign-in of theirs
-- need not wait for an order.
create or replace function act_for(owner uuid, person uuid, opened uuid, passed_on uuid, roles text[], host text, ticket boolean)
  returns boolean
language plpgsql as $$
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
  returns table (person uuid, grant_id uuid, passed_by uuid, role text, all_hosts boolean)
language sql stable as $$
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
create function concerned_by(account uuid) returns table (person uuid)
language sql stable as $$
  select g.owner_id from account_grants g where g.grantee_id = account and g.state = 'active'
  union
  select g.owner_id from account_grants p join account_grants g on g.grantee_id = p.owner_id and g.state = 'active' and g.may_pass_on
  where p.grantee_id = account and p.state = 'active' and p.all_hosts and g.owner_id <> account
  union
  select p.grantee_id from account_grants p where p.owner_id = account and p.state = 'active' and p.all_hosts and exists (
    select from account_grants g where g.grantee_id = account and g.state = 'active' and g.may_pass_on)
$$;
