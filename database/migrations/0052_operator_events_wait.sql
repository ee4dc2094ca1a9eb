-- Events of the operator's list wait until a reader numbers them (docs/decisions/184): an act adds a row and locks nothing, so that acts of
-- different customers do not take turns. The ids rise with the acts of an account; a gap, or one that becomes visible late, is no harm.
create table operator_events_waiting (
  id bigint generated always as identity primary key,
  type text not null,
  data jsonb not null check (pg_column_size(data) <= 65536),
  host_id text,
  customer_id uuid,
  occurred_at timestamptz not null default clock_timestamp()
);
create index operator_events_waiting_of_customer on operator_events_waiting (customer_id);
select allow_app('operator_events_waiting', 'select');

create or replace function record_account_events(owners uuid[], types text[], bodies text[], hosts text[], customers uuid[])
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  operator constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  with given as (
    select g.*, row_number() over (partition by g.owner order by g.place) as nth, count(*) over (partition by g.owner) as of
    from unnest(owners, types, bodies, hosts, customers) with ordinality as g (owner, type, body, host, customer, place)
    join public.account_event_lists l on l.user_id = g.owner and l.read_until > now()
    where g.owner <> operator),
  list as (
    insert into public.account_event_lists as l (user_id, last_seq, read_until, epoch)
    select owner, count(*), now(), 0 from given group by owner order by owner
    on conflict (user_id) do update set last_seq = l.last_seq + excluded.last_seq
    returning l.user_id, l.last_seq)
  insert into public.account_events (user_id, seq, type, data, host_id, customer_id)
  select owner, last_seq - of + nth, type, body::jsonb, host, customer
  from given join list on user_id = owner order by owner, nth;
  -- Behind the locks of the accounts' own lists, so that both lists have the same order.
  if operator = any (owners) then
    insert into public.operator_events_waiting (type, data, host_id, customer_id)
    select g.type, g.body::jsonb, g.host, g.customer
    from unnest(owners, types, bodies, hosts, customers) with ordinality as g (owner, type, body, host, customer, place)
    join public.account_event_lists l on l.user_id = g.owner and l.read_until > now()
    where g.owner = operator order by g.place;
  end if;
end $$;

-- Numbers up to a thousand events that wait, and returns how many. Only committed ones are seen, and an act that follows another of its account
-- has the higher id, so the order of each account is kept. Where another process numbers already, this one does nothing. The times
-- of the list rise with its numbers.
create function number_operator_events() returns integer language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  operator constant uuid := '00000000-0000-0000-0000-000000000000';
  newest timestamptz;
  numbered integer;
begin
  perform from public.account_event_lists where user_id = operator for update skip locked;
  if not found then
    return 0;
  end if;
  select occurred_at into newest from public.account_events where user_id = operator order by seq desc limit 1;
  with taken as (
    delete from public.operator_events_waiting
    where id in (select id from public.operator_events_waiting order by id limit 1000) returning *),
  list as (
    update public.account_event_lists set last_seq = last_seq + (select count(*) from taken)
    where user_id = operator returning last_seq)
  insert into public.account_events (user_id, seq, type, data, host_id, customer_id, occurred_at)
  select operator, last_seq - count(*) over () + row_number() over (order by id), type, data, host_id, customer_id,
    greatest(newest, max(occurred_at) over (order by id))
  from taken cross join list;
  get diagnostics numbered = row_count;
  return numbered;
end $$;

-- Locks a list that has begun, and returns its newest number. What waits for a number comes before a reader who begins now.
create or replace function lock_account_events(owner uuid) returns bigint language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  newest bigint;
begin
  if owner = '00000000-0000-0000-0000-000000000000' then
    perform from public.account_event_lists where user_id = owner for update;
    while public.number_operator_events() > 0 loop
    end loop;
  end if;
  select last_seq into newest from public.account_event_lists where user_id = owner and read_until > now() for update;
  return newest;
end $$;

create or replace function erase_account_events(account uuid) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('app.erased', account::text, true);
  delete from public.operator_events_waiting where customer_id = account;
  delete from public.account_events where user_id = account;
  delete from public.account_events where customer_id = account;
  update public.account_event_lists set read_until = now() where user_id = account and read_until > now();
  perform set_config('app.erased', '', true);
end $$;
