-- The actor, kept with each act of the audit: it was guessed from the address, which is forgotten after 400 days, and from `by`, which also
-- names customers who act for others (decision 116). Owned by foundation/server/audit.
alter table audit
  -- The account that acted; null for the command line, the product itself, and people who had proven nothing.
  add column actor_id uuid,
  -- Null until 0180 has filled it: processes of the release before leave it to the trigger.
  add column actor_kind text,
  add constraint audit_actor_kind_check check (actor_kind in ('self', 'staff', 'customer', 'cli', 'system', 'stranger')) not valid;

create function name_actor() returns trigger language plpgsql as $$
declare
  -- `act_for` names who acts for another account; others are named in the detail.
  named text := coalesce(nullif(current_setting('app.person', true), ''), new.detail ->> 'by');
begin
  if named = 'command line' then
    new.actor_kind := 'cli';
  elsif named !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    -- An act that happens by itself names the product.
    new.actor_kind := 'system';
  elsif named is not null then
    new.actor_id := named::uuid;
    new.actor_kind := case
      when new.actor_id = new.user_id then 'self'
      when coalesce(current_setting('app.person', true), '') = ''
        and exists (select from users where id = new.actor_id and is_staff) then 'staff'
      else 'customer' end;
  elsif new.act in ('login.refused', 'password.locked', 'code.refused', 'code.locked', 'passkey.refused') then
    new.actor_kind := 'stranger';
  elsif new.user_id is not null and new.ip is not null then
    new.actor_id := new.user_id;
    new.actor_kind := 'self';
  else
    new.actor_kind := 'system';
  end if;
  return new;
end $$;
create or replace trigger audit_names_its_actor before insert on audit for each row execute function name_actor();

-- The actor of a row of before is filled in once; otherwise as before.
create or replace function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.at < now() - interval '400 days' and new.ip is null and new.user_agent is null
    and to_jsonb(new) - '{ip,user_agent}'::text[] = to_jsonb(old) - '{ip,user_agent}'::text[]
  then
    return new;
  end if;
  if tg_op = 'UPDATE' and old.actor_kind is null
    and to_jsonb(new) - '{actor_id,actor_kind}'::text[] = to_jsonb(old) - '{actor_id,actor_kind}'::text[]
  then
    return new;
  end if;
  raise exception 'audit is append-only' using errcode = 'insufficient_privilege';
end $$;
