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

-- One address, or a /64 as a prefix: most hosters give a server one. None that stands for an IPv4 (::/96, ::ffff:0:0/96), or one
-- machine would have two licences.
create function is_licensable_ipv6(address inet) returns boolean language sql immutable as $$
  select family(address) = 6 and not address && inet '::/96' and not address && inet '::ffff:0:0/96'
    and (masklen(address) = 128 or (masklen(address) = 64 and address = network(address)::inet))
$$;

create table hosts (
  id bigint generated always as identity primary key,
  -- 128 random bits as base64url: the id that is seen outside.
  public_id text not null unique check (length(public_id) = 22),
  user_id uuid not null references users,
  name text not null check (length(name) >= 1 and length(name) <= 63),
  ipv4 inet check (family(ipv4) = 4 and masklen(ipv4) = 32),
  -- When the address was changed while a licence was paid, newest last; no more than are counted.
  ipv4_changes timestamptz[] not null default '{}'::timestamptz[] check (cardinality(ipv4_changes) <= 3),
  auto_renew boolean not null default false,
  licence_key text not null unique,
  -- Copies of the last order, kept by the owner of the orders. Whether a licence is active follows from paid_until.
  -- Lists go by these times, and a cursor tells milliseconds.
  paid_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  -- A deleted host stays for what refers to it; nothing shows it any more.
  deleted_at timestamptz,
  -- A value that an order or an agent writes is no edit.
  version integer not null default 1,
  ipv6 inet check (is_licensable_ipv6(ipv6)),
  -- The time at which its owner last renewed the key, or said that it may stay; null for the key that came with the host.
  key_checked_at timestamptz,
  unique (user_id, id)
);
create index hosts_by_ipv4 on hosts (ipv4) where deleted_at is null;
-- Staff find a host by an address in its network.
create index hosts_by_ipv6 on hosts using gist (ipv6 inet_ops) where deleted_at is null and ipv6 is not null;
create index hosts_by_name on hosts (shortened(fold_text(name)) text_pattern_ops) where deleted_at is null;
create index hosts_of_user on hosts (user_id) where deleted_at is null;
-- The list of servers by name begins at the page instead of sorting thousands, and a search stops once the page is full.
create index hosts_of_user_by_name on hosts (user_id, name COLLATE people_order, id) where deleted_at is null;
select allow_app('hosts', 'select, insert, update');
select protect_rows('hosts', 'user_id');

create trigger count_edit before update of name, ipv4 on hosts for each row
  when ((old.name is distinct from new.name) or (old.ipv4 is distinct from new.ipv4))
  execute function count_edit();

-- An edit of the addresses is one edit, whichever of them it changes.
create trigger count_ipv6_edit before update of ipv6 on hosts for each row
  when (old.ipv6 is distinct from new.ipv6)
  execute function count_edit();

-- Former keys that still answer: software keeps asking with them until somebody has given it the new one.
create table former_keys (
  licence_key text primary key,
  host_id bigint not null,
  user_id uuid not null,
  ends_at timestamptz not null,
  foreign key (user_id, host_id) references hosts (user_id, id) on update cascade
);
create index former_keys_by_end on former_keys (ends_at);
create index former_keys_of_host on former_keys (user_id, host_id);
select allow_app('former_keys', 'select, insert, update, delete');
select protect_rows('former_keys', 'user_id');

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
  constraint host_agents_follow_host foreign key (user_id, host_id) references hosts (user_id, id) on update cascade
) with (fillfactor=60);
create index host_agents_to_look_at on host_agents (look_at) where look_at is not null;
select allow_app('host_agents', 'select, insert, update, delete');
select protect_rows('host_agents', 'user_id');

-- A server goes to another account (docs/decisions/109).
create table host_transfers (
  id uuid primary key default gen_random_uuid(),
  host_id bigint not null references hosts,
  -- The account that offers: the owner at that time.
  user_id uuid not null references users on delete cascade,
  -- The address that it is offered to, in the one form of foundation/email-address.ts; null once it is erased.
  email text check ((email = lower(email)) and length(email) <= 254),
  -- The account that has accepted or declined.
  receiver_id uuid references users on delete set null,
  state text not null default 'offered' check (state in ('offered', 'accepted', 'declined', 'withdrawn', 'expired', 'ended')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  ended_at timestamptz,
  check (receiver_id <> user_id),
  check ((ended_at is null) = (state = 'offered')),
  check (state <> 'offered' or email is not null)
);
create index ended_transfers on host_transfers (ended_at) where ended_at is not null;
create unique index one_open_transfer on host_transfers (host_id) where state = 'offered';
create index open_transfers_by_end on host_transfers (expires_at) where state = 'offered';
create index transfers_by_email on host_transfers (email) where email is not null;
create index transfers_of_receiver on host_transfers (receiver_id) where receiver_id is not null;
create index transfers_of_user on host_transfers (user_id, created_at);
select allow_app('host_transfers', 'select, insert, update, delete');
select protect_rows('host_transfers', 'user_id');

-- They were written by the owner of then (rule 3). At the commit: the reference holds the server's row by then, so that a transfer that ran
-- at the same time is seen.
create function host_is_owned() returns trigger language plpgsql as $$
begin
  if not exists (select from hosts where id = new.host_id and user_id = new.user_id) then
    raise exception 'host % is not of % in %', new.host_id, new.user_id, tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create constraint trigger transfer_of_owner after insert on host_transfers deferrable initially deferred
  for each row execute function host_is_owned();

-- An account is deleted: what is offered to its addresses ends, and no address stays that names it, or that it named. Offers are rows of who
-- offers, so this one step is the system's.
create function leave_transfers(person uuid)
  returns table(host_id bigint, user_id uuid, email text, was_open boolean) language plpgsql as $$
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
