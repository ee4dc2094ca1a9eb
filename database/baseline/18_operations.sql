-- While an audit goes on, nothing of its period is erased (docs/decisions/159).
create table audit_holds (
  id integer generated always as identity primary key,
  -- The first and the last day, in the operator's time zone, and the moments at which they begin and end.
  first_day date not null,
  last_day date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  reason text not null check (length(reason) >= 1 and length(reason) <= 400),
  begun_at timestamptz not null default now(),
  ended_at timestamptz,
  check (last_day >= first_day),
  check (ends_at > starts_at)
);
create index audit_holds_that_stand on audit_holds (starts_at) where ended_at is null;
select allow_app('audit_holds', 'select, insert, update (ended_at)');

-- True if a hold stands over any moment from the first to the last.
create function is_on_hold(first timestamptz, last timestamptz) returns boolean
  language sql stable parallel safe set search_path from current
  return exists (
    select from audit_holds h where h.ended_at is null and h.starts_at <= last and h.ends_at > first);
