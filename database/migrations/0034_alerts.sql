-- Alerts: a server that is silent, or whose disk is full (docs/decisions/177).

-- The values of an account, or of one of its servers: null for those of the account, or of the product; 0 for off.
create table alert_settings (
  user_id uuid not null references users on delete cascade,
  host_id bigint,
  offline_minutes smallint check (offline_minutes = 0 or offline_minutes between 2 and 1440),
  disk_percent smallint check (disk_percent = 0 or disk_percent between 50 and 99),
  constraint alert_settings_of_owner unique nulls not distinct (user_id, host_id),
  foreign key (user_id, host_id) references hosts (user_id, id) on update cascade
);
create index alert_settings_of_host on alert_settings (host_id) where host_id is not null;
select allow_app('alert_settings', 'select, insert, update, delete');
select protect_rows('alert_settings', 'user_id');

-- The values that count for a server.
create function alert_values(owner uuid, host bigint) returns table(offline_minutes smallint, disk_percent smallint) language sql stable as $$
  select coalesce(own.offline_minutes, whole.offline_minutes, 5::smallint), coalesce(own.disk_percent, whole.disk_percent, 90::smallint)
  from (select 1) one
  left join alert_settings whole on whole.user_id = owner and whole.host_id is null
  left join alert_settings own on own.host_id = host
$$;

-- The values that count stand with the agent, so that a check-in is judged by the row that it writes anyway. No index has these columns,
-- but for `alert_at`, which check-ins leave alone.
alter table host_agents
  add column offline_minutes smallint not null default 5,
  add column disk_percent smallint not null default 90,
  -- While the agent is silent and no alert is open: the time at which to look whether one opens.
  add column alert_at timestamptz,
  -- Since when a disk has been at the limit, and how full it was at most since then, in percent.
  add column disk_since timestamptz,
  add column disk_peak real,
  add column disk_alert boolean not null default false;

-- The longest interval that the agent of a host may be told, in seconds: half of the time after which its silence opens an alert.
create function longest_interval_of(host bigint) returns integer language sql stable as $$
  select case a.offline_minutes when 0 then 300 else least(300, 30 * a.offline_minutes) end from host_agents a where a.host_id = host
$$;

create table alert_incidents (
  id bigint generated always as identity primary key,
  public_id uuid not null unique default gen_random_uuid(),
  host_id bigint not null,
  user_id uuid not null,
  kind text not null check (kind in ('offline', 'disk')),
  -- The beginning of the trouble: the last check-in, or the first with a full disk.
  since timestamptz not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- The fullest disk in percent; null for a silent server, and while the alert is open (host_agents).
  peak real,
  -- When mails were queued that told of its beginning and of its end.
  opening_told_at timestamptz,
  closing_told_at timestamptz,
  -- When the next mail about it is due; null while there is nothing to tell.
  tell_at timestamptz,
  foreign key (user_id, host_id) references hosts (user_id, id) on update cascade
);
create unique index open_alert_of_host on alert_incidents (host_id, kind) where closed_at is null;
create index alert_incidents_of_host on alert_incidents (host_id, opened_at);
create index alert_incidents_of_user on alert_incidents (user_id, opened_at);
create index open_alerts_of_user on alert_incidents (user_id) where closed_at is null;
create index alerts_to_tell on alert_incidents (tell_at) where tell_at is not null;
create index closed_alerts on alert_incidents (closed_at) where closed_at is not null;
select allow_app('alert_incidents', 'select, insert, update, delete');
select protect_rows('alert_incidents', 'user_id');

-- The one row says that somebody watches: a gap was an outage of ours, after which no silence counts until `hold_until`.
create table alert_watch (
  id smallint primary key default 1 check (id = 1),
  beat_at timestamptz not null default now(),
  hold_until timestamptz not null default now() + interval '3 minutes'
);
insert into alert_watch default values;
select allow_app('alert_watch', 'select, update');
