-- The tables of features/hosts with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

create table alert_incidents (
  id bigint generated always as identity not null,
  public_id uuid default gen_random_uuid() not null,
  host_id bigint not null,
  user_id uuid not null,
  kind text not null,
  -- The beginning of the trouble: the last check-in, or the first with a full disk.
  since timestamp with time zone not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  -- The fullest disk in percent; null for a silent server, and while the alert is open (host_agents).
  peak real,
  -- When mails were queued that told of its beginning and of its end.
  opening_told_at timestamp with time zone,
  closing_told_at timestamp with time zone,
  -- When the next mail about it is due; null while there is nothing to tell.
  tell_at timestamp with time zone,
  mount text,
  constraint alert_incidents_pkey primary key (id),
  constraint alert_incidents_public_id_key unique (public_id),
  constraint alert_incidents_user_id_host_id_fkey foreign key (user_id, host_id) references hosts(user_id, id) on update cascade,
  constraint alert_incidents_kind_check check (kind = any (array['offline'::text, 'disk'::text]))
);
create index alert_incidents_of_host on alert_incidents (host_id, opened_at);
create index alert_incidents_of_user on alert_incidents (user_id, opened_at);
create index alerts_to_tell on alert_incidents (tell_at) where tell_at is not null;
create index closed_alerts on alert_incidents (closed_at) where closed_at is not null;
create unique index open_alert_of_host on alert_incidents (host_id, kind) where closed_at is null;
create index open_alerts_of_user on alert_incidents (user_id) where closed_at is null;
grant delete, insert, select, update on alert_incidents to hostdesk_app;
alter table alert_incidents enable row level security;
alter table alert_incidents force row level security;
create policy deleted_by_owner on alert_incidents for delete using (actor_owns(user_id));
create policy inserted_by_owner on alert_incidents for insert with check (actor_owns(user_id));
create policy readable on alert_incidents for select using (true);
create policy updated_by_owner on alert_incidents for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The values of an account, or of one of its servers: null for those of the account, or of the product; 0 for off.
create table alert_settings (
  user_id uuid not null,
  host_id bigint,
  offline_minutes smallint,
  disk_percent smallint,
  constraint alert_settings_of_owner unique nulls not distinct (user_id, host_id),
  constraint alert_settings_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint alert_settings_user_id_host_id_fkey foreign key (user_id, host_id) references hosts(user_id, id) on update cascade,
  constraint alert_settings_disk_percent_check check (disk_percent = 0 or disk_percent >= 50 and disk_percent <= 99),
  constraint alert_settings_offline_minutes_check check (offline_minutes = 0 or offline_minutes >= 2 and offline_minutes <= 1440)
);
create index alert_settings_of_host on alert_settings (host_id) where host_id is not null;
grant delete, insert, select, update on alert_settings to hostdesk_app;
alter table alert_settings enable row level security;
alter table alert_settings force row level security;
create policy deleted_by_owner on alert_settings for delete using (actor_owns(user_id));
create policy inserted_by_owner on alert_settings for insert with check (actor_owns(user_id));
create policy readable on alert_settings for select using (true);
create policy updated_by_owner on alert_settings for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The one row says that somebody watches: a gap was an outage of ours, after which no silence counts until `hold_until`.
create table alert_watch (
  id smallint default 1 not null,
  beat_at timestamp with time zone default now() not null,
  hold_until timestamp with time zone default now() + '00:03:00'::interval not null,
  constraint alert_watch_pkey primary key (id),
  constraint alert_watch_id_check check (id = 1)
);
grant select, update on alert_watch to hostdesk_app;

-- Former keys that still answer: software keeps asking with them until somebody has given it the new one.
create table former_keys (
  licence_key text not null,
  host_id bigint not null,
  user_id uuid not null,
  ends_at timestamp with time zone not null,
  constraint former_keys_pkey primary key (licence_key),
  constraint former_keys_user_id_host_id_fkey foreign key (user_id, host_id) references hosts(user_id, id) on update cascade
);
create index former_keys_by_end on former_keys (ends_at);
create index former_keys_of_host on former_keys (user_id, host_id);
grant delete, insert, select, update on former_keys to hostdesk_app;
alter table former_keys enable row level security;
alter table former_keys force row level security;
create policy deleted_by_owner on former_keys for delete using (actor_owns(user_id));
create policy inserted_by_owner on former_keys for insert with check (actor_owns(user_id));
create policy readable on former_keys for select using (true);
create policy updated_by_owner on former_keys for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The program on the host. It writes each 30 s, so its row is narrow and leaves room on its page: a check-in changes no
-- indexed column, so that no index is written (HOT).
create table host_agents (
  host_id bigint not null,
  user_id uuid not null,
  token_hash bytea not null,
  last_seen_at timestamp with time zone,
  address inet,
  version text,
  hostname text,
  uptime_s bigint,
  -- While the host counts as connected: when to look whether it still is. Moved by the look, not by the check-in.
  look_at timestamp with time zone,
  -- The values that count stand with the agent, so that a check-in is judged by the row that it writes anyway. No index has these columns,
  -- but for `alert_at`, which check-ins leave alone.
  offline_minutes smallint default 5 not null,
  disk_percent smallint default 90 not null,
  alert_at timestamp with time zone,
  disk_since timestamp with time zone,
  disk_peak real,
  disk_alert boolean default false not null,
  interval_s smallint default 30 not null,
  watched_until timestamp with time zone,
  -- The disk of which an alert tells, by its mount (docs/decisions/185): the fullest since it was at the limit, and null where a process of
  -- the release before wrote the check-in.
  disk_mount text,
  constraint host_agents_pkey primary key (host_id),
  constraint host_agents_token_hash_key unique (token_hash),
  constraint host_agents_follow_host foreign key (user_id, host_id) references hosts(user_id, id) on update cascade
);
create index host_agents_by_alert on host_agents (alert_at) where alert_at is not null;
create index host_agents_to_look_at on host_agents (look_at) where look_at is not null;
grant delete, insert, select, update on host_agents to hostdesk_app;
alter table host_agents enable row level security;
alter table host_agents force row level security;
create policy deleted_by_owner on host_agents for delete using (actor_owns(user_id));
create policy inserted_by_owner on host_agents for insert with check (actor_owns(user_id));
create policy readable on host_agents for select using (true);
create policy updated_by_owner on host_agents for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The figures of a host in an hour, in the form of features/hosts/server/figures-row.ts, or in a day whose hours were folded into one row
-- (docs/decisions/178). Without a reference to hosts, which would lock the host's row with each writing. Only the system writes here.
create table host_figures (
  host_id bigint not null,
  starts_at timestamp with time zone not null,
  is_day boolean not null,
  points bytea not null,
  constraint host_figures_pkey primary key (host_id, starts_at),
  constraint host_figures_check check (length(points) <= case when is_day then 1900 else 600 end)
);
create index host_figures_by_age on host_figures (is_day, starts_at);
grant delete, insert, select, update on host_figures to hostdesk_app;

-- Without a reference to hosts, which would lock the host's row with each check-in. Only the system writes here.
create table host_metrics (
  host_id bigint not null,
  at timestamp with time zone not null,
  load_1m real not null,
  memory_used_bytes bigint not null,
  memory_total_bytes bigint not null,
  disk_used_bytes bigint not null,
  disk_total_bytes bigint not null,
  constraint host_metrics_pkey primary key (host_id, at)
);
create index host_metrics_by_age on host_metrics (at);
grant delete, insert, select on host_metrics to hostdesk_app;

-- The same after a day, as means of five minutes; `at` is where they begin.
create table host_metrics_thinned (
  host_id bigint not null,
  at timestamp with time zone not null,
  load_1m real not null,
  memory_used_bytes bigint not null,
  memory_total_bytes bigint not null,
  disk_used_bytes bigint not null,
  disk_total_bytes bigint not null,
  constraint host_metrics_thinned_pkey primary key (host_id, at)
);
create index host_metrics_thinned_by_age on host_metrics_thinned (at);
grant delete, insert, select on host_metrics_thinned to hostdesk_app;

-- A server goes to another account (docs/decisions/109).
create table host_transfers (
  id uuid default gen_random_uuid() not null,
  host_id bigint not null,
  -- The account that offers: the owner at that time.
  user_id uuid not null,
  -- The address that it is offered to, in the one form of foundation/email-address.ts; null once it is erased.
  email text,
  -- The account that has accepted or declined.
  receiver_id uuid,
  state text default 'offered'::text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default now() + '7 days'::interval not null,
  ended_at timestamp with time zone,
  constraint host_transfers_pkey primary key (id),
  constraint host_transfers_host_id_fkey foreign key (host_id) references hosts(id),
  constraint host_transfers_receiver_id_fkey foreign key (receiver_id) references users(id) on delete set null,
  constraint host_transfers_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint host_transfers_check check (receiver_id <> user_id),
  constraint host_transfers_check1 check ((ended_at is null) = (state = 'offered'::text)),
  constraint host_transfers_check2 check (state <> 'offered'::text or email is not null),
  constraint host_transfers_email_check check (email = lower(email) and length(email) <= 254),
  constraint host_transfers_state_check check (state = any (array['offered'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text, 'ended'::text]))
);
create index ended_transfers on host_transfers (ended_at) where ended_at is not null;
create unique index one_open_transfer on host_transfers (host_id) where state = 'offered'::text;
create index open_transfers_by_end on host_transfers (expires_at) where state = 'offered'::text;
create index transfers_by_email on host_transfers (email) where email is not null;
create index transfers_of_receiver on host_transfers (receiver_id) where receiver_id is not null;
create index transfers_of_user on host_transfers (user_id, created_at);
grant delete, insert, select, update on host_transfers to hostdesk_app;
alter table host_transfers enable row level security;
alter table host_transfers force row level security;
create policy deleted_by_owner on host_transfers for delete using (actor_owns(user_id));
create policy inserted_by_owner on host_transfers for insert with check (actor_owns(user_id));
create policy readable on host_transfers for select using (true);
create policy updated_by_owner on host_transfers for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create constraint trigger transfer_of_owner after insert on host_transfers deferrable initially deferred for each row execute function host_is_owned();

create table hosts (
  id bigint generated always as identity not null,
  -- 128 random bits as base64url: the id that is seen outside.
  public_id text not null,
  user_id uuid not null,
  name text not null,
  ipv4 inet,
  -- When the address was changed while a licence was paid, newest last; no more than are counted.
  ipv4_changes timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  auto_renew boolean default false not null,
  licence_key text not null,
  -- Copies of the last order, kept by the owner of the orders. Whether a licence is active follows from paid_until.
  -- Lists go by these times, and a cursor tells milliseconds.
  paid_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  -- A deleted host stays for what refers to it; nothing shows it any more.
  deleted_at timestamp with time zone,
  -- A value that an order or an agent writes is no edit.
  version integer default 1 not null,
  ipv6 inet,
  -- The time at which its owner last renewed the key, or said that it may stay; null for the key that came with the host.
  key_checked_at timestamp with time zone,
  -- The product that a host is one of (docs/decisions/199). A program has no address, so neither has its order.
  product text default 'server'::text not null,
  constraint hosts_pkey primary key (id),
  constraint hosts_licence_key_key unique (licence_key),
  constraint hosts_public_id_key unique (public_id),
  constraint hosts_user_id_id_key unique (user_id, id),
  constraint hosts_product_fkey foreign key (product) references products(slug),
  constraint hosts_user_id_fkey foreign key (user_id) references users(id),
  constraint hosts_ipv4_changes_check check (cardinality(ipv4_changes) <= 3),
  constraint hosts_ipv4_check check (family(ipv4) = 4 and masklen(ipv4) = 32),
  constraint hosts_ipv6_check check (is_licensable_ipv6(ipv6)),
  constraint hosts_name_check check (length(name) >= 1 and length(name) <= 63),
  constraint hosts_public_id_check check (length(public_id) = 22)
);
create index hosts_by_end on hosts (paid_until, id) where deleted_at is null and paid_until is not null;
create index hosts_by_ipv4 on hosts (ipv4) where deleted_at is null;
create index hosts_by_ipv6 on hosts using gist (ipv6 inet_ops) where deleted_at is null and ipv6 is not null;
create index hosts_by_name on hosts (shortened(fold_text(name)) text_pattern_ops) where deleted_at is null;
create index hosts_of_user on hosts (user_id) where deleted_at is null;
create index hosts_of_user_by_name on hosts (user_id, name collate people_order, id) where deleted_at is null;
grant insert, select, update on hosts to hostdesk_app;
alter table hosts enable row level security;
alter table hosts force row level security;
create policy deleted_by_owner on hosts for delete using (actor_owns(user_id));
create policy inserted_by_owner on hosts for insert with check (actor_owns(user_id));
create policy readable on hosts for select using (true);
create policy updated_by_owner on hosts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create constraint trigger changed_documents_are_void after update on hosts deferrable initially deferred for each row when (old.paid_until > now() and (new.paid_until is null or new.paid_until < old.paid_until or new.ipv4 is distinct from old.ipv4 or new.deleted_at is not null and old.deleted_at is null)) execute function revoke_changed();
create trigger count_edit before update of name, ipv4 on hosts for each row when (old.name is distinct from new.name or old.ipv4 is distinct from new.ipv4) execute function count_edit();
create trigger count_ipv6_edit before update of ipv6 on hosts for each row when (old.ipv6 is distinct from new.ipv6) execute function count_edit();
create constraint trigger documents_of_another_ipv6_are_void after update on hosts deferrable initially deferred for each row when (old.paid_until > now() and old.ipv6 is not null and new.ipv6 is distinct from old.ipv6 and not new.ipv4 is distinct from old.ipv4 and new.deleted_at is null) execute function revoke_changed();
create constraint trigger documents_of_another_key_are_void after update of licence_key on hosts deferrable initially deferred for each row when (old.licence_key <> new.licence_key and old.user_id = new.user_id and old.paid_until > now()) execute function revoke_renewed();
create trigger joins_payer after insert on hosts for each row execute function join_payer();
create trigger joins_payer_of_next after update of user_id on hosts for each row when (new.user_id <> old.user_id) execute function join_payer();
create trigger leaves_payer before update of user_id, deleted_at on hosts for each row when (new.user_id <> old.user_id or new.deleted_at is not null and old.deleted_at is null) execute function leave_payer();
create constraint trigger transferred_documents_are_void after update of user_id on hosts deferrable initially deferred for each row when (old.user_id <> new.user_id and old.paid_until > now()) execute function revoke_transferred();

-- The values that count for a server.
create function alert_values(owner uuid, host bigint)
 returns table(offline_minutes smallint, disk_percent smallint)
 language sql
 stable
as $$
  select coalesce(own.offline_minutes, whole.offline_minutes, 5::smallint), coalesce(own.disk_percent, whole.disk_percent, 90::smallint)
  from (select 1) one
  left join alert_settings whole on whole.user_id = owner and whole.host_id is null
  left join alert_settings own on own.host_id = host
$$;

-- They were written by the owner of then (rule 3). At the commit: the reference holds the server's row by then, so that a transfer that ran
-- at the same time is seen.
create function host_is_owned()
 returns trigger
 language plpgsql
as $$
begin
  if not exists (select from hosts where id = new.host_id and user_id = new.user_id) then
    raise exception 'host % is not of % in %', new.host_id, new.user_id, tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- An account is deleted: what is offered to its addresses ends, and no address stays that names it, or that it named. Offers are rows of who
-- offers, so this one step is the system's.
create function leave_transfers(person uuid)
 returns table(host_id bigint, user_id uuid, email text, was_open boolean)
 language plpgsql
as $$
#variable_conflict use_column
declare
  actor text := current_setting('app.actor', true);
  own text[] := (select array_agg(a.email) from email_addresses a where a.user_id = person and a.verified_at is not null);
begin
  if not actor_owns(person) then
    raise exception 'account % is not of %', person, actor using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
  return query update host_transfers t set state = 'ended', ended_at = now(), receiver_id = person
    where t.state = 'offered' and t.email = any(own) and t.user_id <> person
    returning t.host_id, t.user_id, t.email, t.expires_at > clock_timestamp();
  update host_transfers t set email = null
    where t.state <> 'offered' and (t.user_id = person or t.receiver_id = person or t.email = any(own));
  perform set_config('app.actor', actor, true);
end $$;

-- The longest interval that the agent of a host may be told, in seconds: half of the time after which its silence opens an alert.
create function longest_interval_of(host bigint)
 returns integer
 language sql
 stable
as $$
  select case a.offline_minutes when 0 then 300 else least(300, 30 * a.offline_minutes) end from host_agents a where a.host_id = host
$$;
