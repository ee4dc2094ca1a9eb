-- Roles of staff: a fixed set, whose permissions stand in the contracts of the calls. Who is staff keeps what staff could do;
-- nobody becomes owner by a migration.
alter table users add column staff_roles text[] not null default '{}';

select set_config('app.actor', 'system', true);
update users set staff_roles = '{support,billing}' where is_staff;

alter table users
  add constraint staff_roles_known check (staff_roles <@ '{support,billing,admin,owner}'),
  add constraint staff_roles_are_staff check ((cardinality(staff_roles) > 0) = is_staff);

-- A process of the release before writes is_staff alone. A role is added by `system` only: the attack is a statement that writes
-- a customer's own row with fields that they chose.
create function keep_staff_roles() returns trigger language plpgsql as $$
begin
  if (cardinality(new.staff_roles) > 0) <> new.is_staff
    and (tg_op = 'INSERT' or new.staff_roles is not distinct from old.staff_roles)
  then
    new.staff_roles := case when new.is_staff then '{support,billing}'::text[] else '{}' end;
  end if;
  if tg_op = 'UPDATE' and not new.staff_roles <@ old.staff_roles
    and current_setting('app.actor', true) is distinct from 'system'
  then
    raise exception 'roles are given by the system only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_staff_roles before insert or update of is_staff, staff_roles on users
  for each row execute function keep_staff_roles();
