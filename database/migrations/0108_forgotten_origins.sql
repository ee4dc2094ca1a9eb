-- Addresses and browsers of the audit are personal data: they are forgotten after 400 days, and nothing else of it ever changes.
create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.at < now() - interval '400 days' and new.ip is null and new.user_agent is null
    and to_jsonb(new) - '{ip,user_agent}'::text[] = to_jsonb(old) - '{ip,user_agent}'::text[]
  then
    return new;
  end if;
  raise exception 'audit is append-only' using errcode = 'insufficient_privilege';
end $$;
create or replace trigger audit_is_append_only before update or delete on audit for each row execute function keep_audit();

-- Forgets them of the oldest rows, so many at once; answers of how many. The application has no right to change the table itself.
create function forget_old_origins() returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  forgotten integer;
begin
  update public.audit set ip = null, user_agent = null where id in (
    select id from public.audit where ip is not null and at < now() - interval '400 days' order by at limit 5000);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
