-- Customers' servers and what their agents tell. Owned by features/hosts.

-- As people sort names: web-2 before web-10, upper and lower case alike. Where PostgreSQL came without ICU, by code point.
do $$
begin
  create collation people_order (provider = icu, locale = 'und-u-kn-true-ks-level2', deterministic = false);
exception
  when feature_not_supported then create collation people_order from "C";
end $$;

create table hosts (
  id bigint generated always as identity primary key,
  -- 128 random bits as base64url: the id that is seen outside.
  public_id text not null unique check (length(public_id) = 22),
  user_id uuid not null references users,
  name text not null check (length(name) between 1 and 63),
  ipv4 inet check (family(ipv4) = 4 and masklen(ipv4) = 32),
  -- When the address was changed while a licence was paid, newest last; no more than are counted.
  ipv4_changes timestamptz[] not null default '{}' check (cardinality(ipv4_changes) <= 3),
  auto_renew boolean not null default false,
  licence_key text not null unique,
  -- Copies of the last order, kept by the owner of the orders. Whether a licence is active follows from paid_until.
  -- Lists go by these times, and a cursor tells milliseconds.
  paid_until timestamptz(3),
  plan text,
  plan_name jsonb,
  price bigint,
  currency text,
  term text,
  ordered_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- A deleted host stays for what refers to it; nothing shows it any more.
  deleted_at timestamptz,
  -- What others of the same customer point at: a host and its owner in one (rule 3).
  unique (user_id, id)
);
create index hosts_of_user on hosts (user_id) where deleted_at is null;
select allow_app('hosts', 'select, insert, update');
select protect_rows('hosts', 'user_id');

-- The program on the host. It writes each 30 s, so its row is narrow and leaves room on its page: a check-in changes no
-- indexed column, so that no index is written (HOT).
create table host_agents (
  host_id bigint primary key,
  user_id uuid not null,
  token_hash bytea not null unique,
  last_seen_at timestamptz,
  address inet,
  version text,
  hostname text,
  uptime_s bigint,
  -- While the host counts as connected: when to look whether it still is. Moved by the look, not by the check-in.
  look_at timestamptz,
  foreign key (user_id, host_id) references hosts (user_id, id)
) with (fillfactor = 60);
create index host_agents_to_look_at on host_agents (look_at) where look_at is not null;
select allow_app('host_agents', 'select, insert, update, delete');
select protect_rows('host_agents', 'user_id');

-- Without a reference to hosts, which would lock the host's row with each check-in. Only the system writes here.
create table host_metrics (
  host_id bigint not null,
  at timestamptz not null,
  load_1m real not null,
  memory_used_bytes bigint not null,
  memory_total_bytes bigint not null,
  disk_used_bytes bigint not null,
  disk_total_bytes bigint not null,
  primary key (host_id, at)
);
create index host_metrics_by_age on host_metrics (at);
select allow_app('host_metrics', 'select, insert, delete');

-- The same after a day, as means of five minutes; `at` is where they begin.
create table host_metrics_thinned (
  host_id bigint not null,
  at timestamptz not null,
  load_1m real not null,
  memory_used_bytes bigint not null,
  memory_total_bytes bigint not null,
  disk_used_bytes bigint not null,
  disk_total_bytes bigint not null,
  primary key (host_id, at)
);
create index host_metrics_thinned_by_age on host_metrics_thinned (at);
select allow_app('host_metrics_thinned', 'select, insert, delete');
