-- Most acts record one event, or a few of one account: each list is counted by one plain statement, and each event written by another, whose
-- plans are kept. The windows and joins of before cost a third of an act. Lists are locked in the same order.
create or replace function record_account_events(owners uuid[], types text[], bodies text[], hosts text[], customers uuid[])
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  operator constant uuid := '00000000-0000-0000-0000-000000000000';
  account uuid;
  places integer[];
  number bigint;
begin
  for account, places in
    select g.owner, array_agg(g.place order by g.place) from unnest(owners) with ordinality as g (owner, place)
    where g.owner <> operator group by g.owner order by g.owner
  loop
    update public.account_event_lists set last_seq = last_seq + cardinality(places)
    where user_id = account and read_until > now() returning last_seq - cardinality(places) into number;
    continue when not found;
    for nth in 1 .. cardinality(places) loop
      insert into public.account_events (user_id, seq, type, data, host_id, customer_id)
      values (account, number + nth, types[places[nth]], bodies[places[nth]]::jsonb, hosts[places[nth]], customers[places[nth]]);
    end loop;
  end loop;
  -- Behind the locks of the accounts' own lists, so that both lists have the same order.
  if operator = any (owners)
    and exists (select from public.account_event_lists where user_id = operator and read_until > now()) then
    for nth in 1 .. cardinality(owners) loop
      if owners[nth] = operator then
        insert into public.operator_events_waiting (type, data, host_id, customer_id)
        values (types[nth], bodies[nth]::jsonb, hosts[nth], customers[nth]);
      end if;
    end loop;
  end if;
end $$;
