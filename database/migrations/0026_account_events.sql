-- Account events (docs/decisions/174): one ordered list for each account, written where somebody reads it.

-- The list of an account with a reader. Its row is locked from the first event until the commit, as that of live_cursors is, so that numbers
-- become visible in their order and without holes. The list of the operator has the id of no account, 0. The row stays when nobody reads
-- any more, so that no number is given twice.
create table account_event_lists (
  user_id uuid primary key,
  last_seq bigint not null default 0 check (last_seq >= 0),
  -- Events before this number were not written, or are undone: a reader who was here before has missed something.
  begins bigint not null default 0 check (begins >= 0),
  -- Events are written until then: 30 days after the last reading, or for ever where an endpoint reads.
  read_until timestamptz not null,
  -- False until every transaction that began before the list has ended: such a one does not know of it.
  is_settled boolean not null default false,
  epoch bigint not null
);
create index account_event_lists_by_epoch on account_event_lists (epoch);
select allow_app('account_event_lists', 'select');

-- The time of the last list that began. A transaction reads it at its start, and so knows if the lists that its process remembers are all.
create table account_event_epoch (
  is_one boolean primary key default true check (is_one),
  epoch bigint not null
);
insert into account_event_epoch (epoch) values (0);
select allow_app('account_event_epoch', 'select');

-- Transactions read the epoch by this name alone, so that those that have read it are known by their locks.
create view known_event_epoch as select epoch from account_event_epoch;
select allow_app('known_event_epoch', 'select');

-- Events are kept for 30 days at least, in a ring of eight parts of five days that are written in turn, as live_events are (decision 061).
create function account_event_slot(at timestamptz) returns smallint language sql stable parallel safe as $$
  select (extract(epoch from at)::bigint / 432000 % 8)::smallint
$$;

create table account_events (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null check (pg_column_size(data) <= 65536),
  -- The public id of the server that the event is about.
  host_id text,
  -- The account that the event is about, in the list of the operator.
  customer_id uuid,
  -- Read behind the lock, so that the times of a list rise with its numbers.
  occurred_at timestamptz not null default clock_timestamp(),
  slot smallint not null default account_event_slot(now())
) partition by list (slot);
select allow_app('account_events', 'select');

create table account_events_0 partition of account_events (primary key (user_id, seq)) for values in (0);
create table account_events_1 partition of account_events (primary key (user_id, seq)) for values in (1);
create table account_events_2 partition of account_events (primary key (user_id, seq)) for values in (2);
create table account_events_3 partition of account_events (primary key (user_id, seq)) for values in (3);
create table account_events_4 partition of account_events (primary key (user_id, seq)) for values in (4);
create table account_events_5 partition of account_events (primary key (user_id, seq)) for values in (5);
create table account_events_6 partition of account_events (primary key (user_id, seq)) for values in (6);
create table account_events_7 partition of account_events (primary key (user_id, seq)) for values in (7);
-- An index for each part, not one of the whole: a restore drops indices and makes them again.
create index account_events_0_of_customer on account_events_0 (customer_id) where customer_id is not null;
create index account_events_1_of_customer on account_events_1 (customer_id) where customer_id is not null;
create index account_events_2_of_customer on account_events_2 (customer_id) where customer_id is not null;
create index account_events_3_of_customer on account_events_3 (customer_id) where customer_id is not null;
create index account_events_4_of_customer on account_events_4 (customer_id) where customer_id is not null;
create index account_events_5_of_customer on account_events_5 (customer_id) where customer_id is not null;
create index account_events_6_of_customer on account_events_6 (customer_id) where customer_id is not null;
create index account_events_7_of_customer on account_events_7 (customer_id) where customer_id is not null;

-- Rows of the list are added, and never changed or deleted but by the erasure of an account.
create function keep_account_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('app.erased', true) in (old.user_id::text, old.customer_id::text) then
    return old;
  end if;
  raise exception 'account_events is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger account_events_are_append_only before delete or update on account_events
  for each row execute function keep_account_events();

-- Writes events into the lists that are read, and nothing for other accounts. Locks the lists in one order, whatever that of the events.
create function record_account_events(owners uuid[], types text[], bodies text[], hosts text[], customers uuid[])
  returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  with given as (
    select g.*, row_number() over (partition by g.owner order by g.place) as nth, count(*) over (partition by g.owner) as of
    from unnest(owners, types, bodies, hosts, customers) with ordinality as g (owner, type, body, host, customer, place)
    join public.account_event_lists l on l.user_id = g.owner and l.read_until > now()),
  list as (
    insert into public.account_event_lists as l (user_id, last_seq, read_until, epoch)
    select owner, count(*), now(), 0 from given group by owner order by owner
    on conflict (user_id) do update set last_seq = l.last_seq + excluded.last_seq
    returning l.user_id, l.last_seq)
  insert into public.account_events (user_id, seq, type, data, host_id, customer_id)
  select owner, last_seq - of + nth, type, body::jsonb, host, customer
  from given join list on user_id = owner order by owner, nth;
end $$;

-- Keeps a list written for 30 days more, or begins it. Returns true if the caller has to wait for older transactions. A list that nobody
-- read for so long that it ended skips a number: a reader who comes back with an older one has missed something, and is told so.
create function begin_account_events(owner uuid) returns boolean language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  until timestamptz := now() + interval '30 days';
  list public.account_event_lists;
  next_epoch bigint;
begin
  insert into public.account_event_lists (user_id, read_until, epoch) values (owner, '-infinity', 0) on conflict do nothing;
  select * into list from public.account_event_lists where user_id = owner for update;
  if list.read_until > now() + interval '1 hour' then
    update public.account_event_lists set read_until = greatest(read_until, until) where user_id = owner;
    return not list.is_settled;
  end if;
  -- The epoch rises with the clock too, so that none is given twice by a database that went back to an earlier state.
  update public.account_event_epoch
  set epoch = greatest(epoch + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint) returning epoch into next_epoch;
  update public.account_event_lists
  set read_until = until, is_settled = false, epoch = next_epoch,
    last_seq = last_seq + (case when list.epoch = 0 then 0 else 1 end), begins = last_seq + (case when list.epoch = 0 then 0 else 1 end)
  where user_id = owner;
  return true;
end $$;

create function settle_account_events(owner uuid) returns void language sql security definer
  set search_path = pg_catalog, pg_temp as $$
  update public.account_event_lists set is_settled = true where user_id = owner and not is_settled
$$;

-- Locks a list that has begun, and returns its newest number.
create function lock_account_events(owner uuid) returns bigint language sql security definer
  set search_path = pg_catalog, pg_temp as $$
  select last_seq from public.account_event_lists where user_id = owner and read_until > now() for update
$$;

create function keep_account_events_read(owner uuid, forever boolean) returns void language sql security definer
  set search_path = pg_catalog, pg_temp as $$
  update public.account_event_lists
  set read_until = case when forever then 'infinity' else now() + interval '30 days' end where user_id = owner
$$;

-- Erases what the lists hold of an account: its own list, and its events in the list of the operator.
create function erase_account_events(account uuid) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('app.erased', account::text, true);
  delete from public.account_events where user_id = account;
  delete from public.account_events where customer_id = account;
  update public.account_event_lists set read_until = now() where user_id = account and read_until > now();
  perform set_config('app.erased', '', true);
end $$;

-- Empties the part that is written to next, whose events are 30 days old at least. Where somebody reads a part for long, as a backup
-- does, nobody waits behind us. Right before a part's turn it is left alone.
create function sweep_account_events(at timestamptz default now()) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '100ms' as $$
declare
  part text := 'public.account_events_' || public.account_event_slot(at + interval '5 days');
  is_full boolean;
begin
  if extract(epoch from at)::bigint % 432000 < 431700 then
    execute format('select exists (select from %s)', part) into is_full;
    if is_full then
      execute format('truncate %s', part);
    end if;
  end if;
exception when lock_not_available then
  null;
end $$;
