-- Events are kept for an hour, and most of what their table cost was to remove them again (decision 061). They lie in a ring of
-- four parts now, half an hour each, and the part that comes next is emptied at once. All parts are there from the start,
-- so that no write depends on one that is made in time.
create function live_slot(at timestamptz) returns smallint language sql stable parallel safe as $$
  select (extract(epoch from at)::bigint / 1800 % 4)::smallint
$$;

-- The table of before becomes the part for everything else; -1 is the slot of its rows. Nothing is copied.
alter table live_events add column slot smallint not null default -1;
alter table live_events rename to live_events_rest;
create table live_events (like live_events_rest including defaults) partition by list (slot);
alter table live_events alter column slot set default live_slot(now());
alter table live_events_rest alter column slot set default live_slot(now());
alter table live_events attach partition live_events_rest default;
create table live_events_0 partition of live_events (primary key (user_id, seq)) for values in (0);
create table live_events_1 partition of live_events (primary key (user_id, seq)) for values in (1);
create table live_events_2 partition of live_events (primary key (user_id, seq)) for values in (2);
create table live_events_3 partition of live_events (primary key (user_id, seq)) for values in (3);
select allow_app('live_events', 'select, insert, update, delete');

-- Empties the part that is written to next, whose events are an hour old at least, and the rest once it is as old. Where
-- somebody reads a part for long, as a backup does, nobody waits behind us: the next run is soon. Right before a part's turn it
-- is left alone, for writers do not wait for us either.
create function sweep_live_events(at timestamptz default now()) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
begin
  if extract(epoch from at)::bigint % 1800 < 1740 then
    case public.live_slot(at + interval '30 minutes')
      when 0 then truncate public.live_events_0;
      when 1 then truncate public.live_events_1;
      when 2 then truncate public.live_events_2;
      else truncate public.live_events_3;
    end case;
  end if;
  if exists (select from public.live_events_rest)
    and not exists (select from public.live_events_rest where created_at >= at - interval '1 hour')
  then
    truncate public.live_events_rest;
  end if;
exception when lock_not_available then
  null;
end
$$;
