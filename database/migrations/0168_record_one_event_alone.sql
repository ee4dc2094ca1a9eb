-- Most acts record one event: it is written by one statement, without arrays to take apart, in less than half of the time. The list is counted
-- and its event written at once, and the event of the operator behind it, as by record_account_events, which writes several.
create function record_account_event(list uuid, of_type text, body text, host text, for_operator boolean, customer uuid)
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if list is not null then
    with counted as (
      update public.account_event_lists set last_seq = last_seq + 1 where user_id = list and read_until > now() returning last_seq)
    insert into public.account_events (user_id, seq, type, data, host_id)
    select list, last_seq, of_type, body::jsonb, host from counted;
  end if;
  if for_operator then
    insert into public.operator_events_waiting (type, data, host_id, customer_id)
    select of_type, body::jsonb, host, customer
    where exists (
      select from public.account_event_lists where user_id = '00000000-0000-0000-0000-000000000000' and read_until > now());
  end if;
end $$;
