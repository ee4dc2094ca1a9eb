-- The last owner stays: taking the role, the flag or the account of the only one is refused, whatever statement tries it. Two owners
-- who revoke each other take turns at the lock. Example people may go.
create function keep_an_owner() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('staff owners', 0));
  if not exists (select from users where is_staff and is_active and 'owner' = any (staff_roles) and id <> old.id) then
    raise exception 'the last owner stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
-- After keep_staff_roles, by its name: that one may take the roles.
create trigger owner_stays before update of is_staff, staff_roles, is_active on users for each row
  when (old.is_active and 'owner' = any (old.staff_roles) and not old.is_example
    and not (new.is_active and 'owner' = any (new.staff_roles)))
  execute function keep_an_owner();
