-- Hosts that may not run although they are paid for: a member of staff or the command line suspended them. The paid time runs on
-- (docs/decisions/096). Owned by features/licences.
create table suspensions (
  id uuid primary key default gen_random_uuid(),
  host_id bigint not null references hosts,
  user_id uuid not null references users,
  reason text not null check (reason in ('charge_back', 'debt', 'abuse', 'other')),
  -- The customer reads it.
  text_public text not null check (length(text_public) <= 2000),
  -- For staff.
  text_internal text not null check (length(text_internal) between 1 and 800),
  starts_at timestamptz not null default clock_timestamp(),
  -- A member of staff; null for the command line.
  suspended_by uuid references users on delete set null,
  lifted_at timestamptz check (lifted_at >= starts_at),
  lifted_by uuid references users on delete set null,
  check (lifted_at is not null or lifted_by is null)
);
create unique index open_suspension_of_host on suspensions (host_id) where lifted_at is null;
create index suspensions_of_user on suspensions (user_id, starts_at);
select allow_app('suspensions', 'select, insert, update');
select protect_rows('suspensions', 'user_id');

-- The open one of a host. Without "security definer" and with one statement it is written into the query that asks, as licence_from is.
create function suspension_of(host bigint) returns table (starts_at timestamptz, reason text, text_public text)
language sql stable as $$
  select s.starts_at, s.reason, s.text_public from suspensions s where s.host_id = host and s.lifted_at is null
$$;
