-- The calendar of the desk: when it answers, a row that is always there. With no open hours nothing is promised (docs/decisions/219).
create table answer_calendar (
  is_one boolean primary key default true check (is_one),
  zone text not null default 'UTC',
  -- Seven of them, from Monday on: null where the desk is closed, else {"from": "09:00", "to": "17:00"}, of which the last is 24:00.
  hours jsonb not null default '[null, null, null, null, null, null, null]'
    check (jsonb_typeof(hours) = 'array' and jsonb_array_length(hours) = 7),
  is_open boolean not null generated always as (hours <> '[null, null, null, null, null, null, null]') stored,
  -- The names of the days on which the desk is closed, by the day.
  holidays jsonb not null default '{}' check (jsonb_typeof(holidays) = 'object'),
  version integer not null default 1,
  changed_at timestamptz not null default now()
);
select allow_app('answer_calendar', 'select, update');
insert into answer_calendar default values;

-- Within how much open time the first and each next answer is expected. Without an edition it holds for all others; null promises nothing.
create table answer_targets (
  edition text references editions,
  priority text not null check (priority in ('critical', 'high', 'medium', 'low', 'very_low')),
  first_minutes integer check (first_minutes between 1 and 43200),
  next_minutes integer check (next_minutes between 1 and 43200),
  unique nulls not distinct (edition, priority)
);
select allow_app('answer_targets', 'select, insert, delete');

-- The time at which the desk has been open for so many minutes since then; null where that takes longer than 400 days. An opening that the
-- change of the clocks leaves out, or has twice, begins as PostgreSQL reads it: moved on by the gap, or the second time.
create function open_time_after(since timestamptz, minutes integer, zone text, hours jsonb, holidays jsonb)
  returns timestamptz language plpgsql stable strict as $$
declare
  rest_s numeric := minutes * 60;
  today date := (since at time zone zone)::date;
  day date;
  open jsonb;
  begins timestamptz;
  ends timestamptz;
  open_s numeric;
begin
  for place in 0..400 loop
    day := today + place;
    open := hours -> (extract(isodow from day)::integer - 1);
    continue when jsonb_typeof(open) <> 'object' or holidays ? day::text;
    begins := greatest((day + (open ->> 'from')::time) at time zone zone, since);
    ends := (day + (open ->> 'to')::time) at time zone zone;
    open_s := extract(epoch from ends) - extract(epoch from begins);
    continue when open_s <= 0;
    if open_s >= rest_s then
      return begins + make_interval(secs => rest_s::double precision);
    end if;
    rest_s := rest_s - open_s;
  end loop;
  return null;
end $$;

-- The time by which an answer is expected to somebody who waits since then; null where none is promised. A ticket about a server counts with
-- the edition that runs there, another one with the largest edition that its customer has.
create function expected_answer(since timestamptz, is_first boolean, urgency text, customer uuid, host bigint)
  returns timestamptz language plpgsql stable as $$
declare
  calendar answer_calendar%rowtype;
  paid text;
  target_minutes integer;
begin
  select * into calendar from answer_calendar;
  if not calendar.is_open then
    return null;
  end if;
  if exists (select from answer_targets where edition is not null) then
    select p.edition into paid from hosts h join paid_periods p on p.host_id = h.id join editions e on e.slug = p.edition
      where h.user_id = customer and (host is null or h.id = host)
        and p.starts_at <= since and p.ends_at > since
        and exists (select from answer_targets t where t.edition = p.edition and t.priority = urgency)
      order by e.rank desc, e.slug limit 1;
  end if;
  select case when is_first then t.first_minutes else t.next_minutes end into target_minutes
    from answer_targets t
    where t.priority = urgency and t.edition is not distinct from paid;
  return date_trunc('milliseconds', open_time_after(since, target_minutes, calendar.zone, calendar.hours, calendar.holidays));
end $$;

-- The time by which an answer is expected, and the time from which that counts; both null while nobody waits for staff.
alter table tickets add column due_at timestamptz;
alter table tickets add column due_since timestamptz;

-- Computed here, because messages, states, merged and split tickets all change whose turn it is. The lock is shared with other tickets, and
-- waits for a change of the calendar, so that no ticket keeps the time of an old one.
create function expect_answer() returns trigger language plpgsql as $$
begin
  if new.status = 'closed' or new.waiting_since is null or new.snoozed_at is not null then
    new.due_at := null;
    new.due_since := null;
    return new;
  end if;
  if tg_op = 'UPDATE' and old.waiting_since = new.waiting_since then
    if old.due_since is not null and old.priority = new.priority then
      return new;
    end if;
    -- A ticket that sleeps no longer counts from now on.
    new.due_since := case when old.snoozed_at is not null then date_trunc('milliseconds', now())
      else coalesce(old.due_since, new.waiting_since) end;
  else
    new.due_since := new.waiting_since;
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('answer_calendar', 0));
  new.due_at := expected_answer(new.due_since, new.first_reply_at is null, new.priority, new.user_id, new.host_id);
  return new;
end $$;
create trigger tickets_expect_answer before insert or update of status, waiting_since, priority, snoozed_at on tickets
  for each row execute function expect_answer();
