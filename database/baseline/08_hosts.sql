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
  -- What an order or an agent writes is no edit.
  version integer not null default 1,
  ipv6 inet check (is_licensable_ipv6(ipv6)),
  -- The time at which its owner last renewed the key, or said that it may stay; null for the key that came with the host.
  key_checked_at timestamptz,
  unique (user_id, id)
);
create index hosts_by_ipv4 on hosts (ipv4) where deleted_at is null;
-- outside a transaction
-- Staff find a host by an address in its network.
create index hosts_by_ipv6 on hosts using gist (ipv6 inet_ops) where deleted_at is null and ipv6 is not null;
create index hosts_by_name on hosts (lower(name) text_pattern_ops) where deleted_at is null;
create index hosts_of_user on hosts (user_id) where deleted_at is null;
-- outside a transaction
-- The list of servers by name begins at the page instead of sorting thousands, and a search stops once the page is full. Owned by
-- features/hosts.
create index hosts_of_user_by_name on hosts (user_id, name COLLATE people_order, id) where deleted_at is null;
select allow_app('hosts', 'select, insert, update');
select protect_rows('hosts', 'user_id');

-- Documents that name an IPv6 are void once the host has lost it; one that was added voids nothing.
create function revoke_changed() returns trigger language plpgsql as $$
begin
  perform revoke_documents(old.public_id, case
    when new.deleted_at is not null and old.deleted_at is null then 'deleted'
    when new.ipv4 is distinct from old.ipv4 or new.ipv6 is distinct from old.ipv6 then 'address'
    else 'cut_short' end);
  return null;
end $$;
create constraint trigger changed_documents_are_void after update on hosts deferrable initially deferred for each row
  when ((old.paid_until > now()) and (new.paid_until is null or new.paid_until < old.paid_until or (new.ipv4 is distinct from old.ipv4) or (new.deleted_at is not null and old.deleted_at is null)))
  execute function revoke_changed();

create trigger count_edit before update of name, ipv4 on hosts for each row
  when ((old.name is distinct from new.name) or (old.ipv4 is distinct from new.ipv4))
  execute function count_edit();

-- An edit of the addresses is one edit, whichever of them it changes.
create trigger count_ipv6_edit before update of ipv6 on hosts for each row
  when (old.ipv6 is distinct from new.ipv6)
  execute function count_edit();

create constraint trigger documents_of_another_ipv6_are_void after update on hosts deferrable initially deferred for each row
  when ((old.paid_until > now()) and old.ipv6 is not null and (new.ipv6 is distinct from old.ipv6) and (not (new.ipv4 is distinct from old.ipv4)) and new.deleted_at is null)
  execute function revoke_changed();

create function revoke_renewed() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  number bigint := next_revocation();
begin
  insert into revocations (seq, sub, before, reason, begins_at, until)
  values (number, old.public_id, void_before(clock_timestamp(), documents_from(old.public_id)), 'key',
    (select f.ends_at from former_keys f where f.licence_key = old.licence_key), clock_timestamp() + interval '12 days');
  return null;
end $$;
create constraint trigger documents_of_another_key_are_void after update of licence_key on hosts deferrable initially deferred for each row
  when (old.licence_key <> new.licence_key and old.user_id = new.user_id and (old.paid_until > now()))
  execute function revoke_renewed();

-- A new server has the payer of all. The agreement is locked as by the order that follows: a shared lock, raised by two orders at once, would
-- let them wait for each other.
create function join_payer() returns trigger language plpgsql as $$
begin
  insert into host_payers (host_id, user_id, agreement_id)
    select new.id, new.user_id, a.id from payment_agreements a
    where a.owner_id = new.user_id and a.state = 'active' and a.all_hosts for update;
  return new;
end $$;
create trigger joins_payer after insert on hosts for each row execute function join_payer();

-- An agreement of the next owner about all servers, also those to come, is about this one.
create trigger joins_payer_of_next after update of user_id on hosts for each row
  when (new.user_id <> old.user_id)
  execute function join_payer();

-- A server that is deleted, or goes to another owner, is paid by nobody else from then on.
create function leave_payer() returns trigger language plpgsql as $$
declare
  actor text := current_setting('app.actor', true);
begin
  perform set_config('app.actor', 'system', true);
  delete from host_payers where host_id = old.id;
  delete from requested_hosts where host_id = old.id;
  perform set_config('app.actor', actor, true);
  return new;
end $$;
create trigger leaves_payer before update of user_id, deleted_at on hosts for each row
  when (new.user_id <> old.user_id or (new.deleted_at is not null and old.deleted_at is null))
  execute function leave_payer();

create function revoke_transferred() returns trigger language plpgsql as $$
begin
  perform revoke_documents(old.public_id, 'transferred');
  return null;
end $$;
create constraint trigger transferred_documents_are_void after update of user_id on hosts deferrable initially deferred for each row
  when (old.user_id <> new.user_id and (old.paid_until > now()))
  execute function revoke_transferred();

-- Keys of before that still answer: software keeps asking with them until somebody has given it the new one.
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

-- A server goes to another account (docs/decisions/109). Owned by features/hosts.
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

-- Claims the addresses of a host for a period, all or none. Null, or the family of which another licence has one then.
create function claim_addresses(user_id uuid, host_id bigint, ipv4 inet, ipv6 inet, starts_at timestamptz, ends_at timestamptz)
  returns text language plpgsql as $$
declare violated text;
begin
  insert into licensed_addresses (user_id, host_id, ipv4, starts_at, ends_at)
  select $1, $2, $3, $5, $6 where $3 is not null;
  insert into licensed_addresses (user_id, host_id, ipv6, starts_at, ends_at)
  select $1, $2, $4, $5, $6 where $4 is not null;
  return null;
exception when exclusion_violation then
  get stacked diagnostics violated = constraint_name;
  return case violated when 'one_licence_for_an_ipv6' then 'ipv6' else 'ipv4' end;
end $$;

-- Called by the release before.
create function claim_address(user_id uuid, host_id bigint, ipv4 inet, starts_at timestamptz, ends_at timestamptz)
  returns boolean language sql as $$
  select claim_addresses($1, $2, $3, (select h.ipv6 from hosts h where h.id = $2), $4, $5) is null
$$;

-- The earliest `iat`, in seconds since 1970, that no revocation of the host voids; 0 without any.
create function documents_from(of_host text) returns bigint language sql stable as $$
  select coalesce(max(before), 0) from revocations where sub = of_host
$$;

-- The servers that a grant opens.
create function hosts_of_grant(opened uuid) returns table(host_id bigint, public_id text) language sql stable as $$
  select h.id, h.public_id from account_grants g join hosts h on h.user_id = g.owner_id
  where g.id = opened and h.deleted_at is null
    and (g.all_hosts or exists (select from account_grant_hosts s where s.grant_id = g.id and s.host_id = h.id))
$$;

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

-- The price that an earlier owner has paid is hidden from the next one: it is null, but for a trial, which costs nothing.
create function licence_at(host bigint, at timestamptz)
  returns table(plan text, plan_name jsonb, edition text, term text, price bigint, net bigint, currency text, entitlements jsonb, ordered_at timestamptz, starts_at timestamptz, ends_at timestamptz)
  language sql stable as $$
  select coalesce(p.plan, o.plan), o.plan_name, coalesce(p.edition, l.edition), coalesce(p.term, o.term),
    case when o.user_id = p.user_id or o.kind = 'trial' then o.total end,
    coalesce(p.net, o.net), o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = coalesce(p.edition, l.edition)), '{}')
      || coalesce(p.entitlements, '{}'),
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id join plans l on l.slug = o.plan
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$$;

-- Never less than the clock's second: after a restore verifiers that know a later list would refuse the next one.
create function next_revocation() returns bigint language sql security definer
  set search_path = pg_catalog, public, pg_temp as $$
  update revocation_list set seq = greatest(seq + 1, extract(epoch from clock_timestamp())::bigint), changed_at = clock_timestamp()
  returning seq
$$;

create function renewal_of(host bigint) returns table(plan text, plan_name jsonb, term text) language sql stable as $$
  select p.slug, jsonb_build_object('en', p.name_en, 'de', p.name_de, 'ru', p.name_ru), p.term
  from licence_settings s join plans p on p.slug = s.renewal_plan
  where s.host_id = host
$$;

-- The open one of a host. Without "security definer" and with one statement it is written into the query that asks, as licence_from is.
create function suspension_of(host bigint)
  returns table(starts_at timestamptz, reason text, text_public text) language sql stable as $$
  select s.starts_at, s.reason, s.text_public from suspensions s where s.host_id = host and s.lifted_at is null
$$;
