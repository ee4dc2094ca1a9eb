-- The role `read` of helpers (docs/decisions/098): what `full` sees, and nothing that writes.
alter table account_grants drop constraint account_grants_role_check,
  add constraint account_grants_role_check check (role in ('technical', 'billing', 'full', 'read'));

-- As before, but a helper who reads makes the transaction one that writes nothing.
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
  select w.role into acting
  from ways_to_act(person, owner) w join users u on u.id = person
  where w.grant_id = opened and w.through is not distinct from passed_on and w.role = any (roles) and grant_opens(opened, host, ticket)
    and u.is_active and u.access <> 'locked' and (not w.needs_second_factor or u.factors && array['totp', 'webauthn']);
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
