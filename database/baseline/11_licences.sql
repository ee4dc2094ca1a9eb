-- The machines on which a licence runs (docs/decisions/136).
create table activations (
  id uuid primary key default gen_random_uuid(),
  host_id bigint not null,
  user_id uuid not null,
  -- Of a machine that has no id of its own: null, and one machine.
  fingerprint text check (fingerprint ~ '^[0-9a-f]{64}$'),
  hostname text check (length(hostname) <= 253),
  address inet not null,
  first_seen timestamptz not null default clock_timestamp(),
  -- To the hour.
  last_seen timestamptz not null default clock_timestamp(),
  released_at timestamptz,
  released_by text check (released_by in ('owner', 'system')),
  -- When its owner was told that it is one too many.
  mailed_at timestamptz,
  -- A release that staff have set back counts no longer among the three of its owner in 30 days.
  forgiven_at timestamptz,
  -- A digest of the present boot; null while none was reported.
  boot text check (boot ~ '^[0-9a-f]{64}$'),
  -- Boots that another one has followed, the last ones.
  past_boots text[] not null default '{}',
  -- The fingerprint that the machine reports, if another machine reports it too; `fingerprint` is then one of its own.
  clone_of text check (clone_of ~ '^[0-9a-f]{64}$'),
  check (released_at >= first_seen),
  check ((released_at is null) = (released_by is null)),
  foreign key (user_id, host_id) references hosts (user_id, id) on update cascade
);
create index machines_by_last_seen on activations (last_seen) where released_at is null;
create index machines_of_host on activations (host_id, first_seen, id);
create index machines_of_user on activations (user_id, first_seen);
create unique index one_place_for_a_machine on activations (host_id, fingerprint) nulls not distinct where released_at is null;
create index released_machines on activations (released_at) where released_at is not null;
select allow_app('activations', 'select, insert, update, delete');
select protect_rows('activations', 'user_id');

-- A document of a machine that was released counts no more.
create function revoke_released() returns trigger language plpgsql as $$
begin
  perform revoke_documents((select public_id from hosts where id = new.host_id), 'released');
  return null;
end $$;
create constraint trigger released_machines_are_void after update of released_at on activations deferrable initially deferred for each row
  when (old.released_at is null and new.released_by = 'owner')
  execute function revoke_released();

-- Balances below zero after a charge-back: mails, and then the suspension of the servers that the account paid for
-- (docs/decisions/096).
create table debts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  began_at timestamptz not null default clock_timestamp(),
  -- As the first mail says it; null: never.
  suspend_after_days smallint check (suspend_after_days >= 1 and suspend_after_days <= 90),
  -- The last step that was taken, by its day, and when; null before the first.
  done_day smallint,
  last_step_at timestamptz,
  -- When the next one is due; null: none is left.
  next_at timestamptz,
  -- The balance is zero or more again.
  settled_at timestamptz,
  check (settled_at >= began_at)
);
create index debts_due on debts (next_at) where settled_at is null;
create index debts_of_user on debts (user_id, began_at);
create unique index open_debt_of_user on debts (user_id) where settled_at is null;
select allow_app('debts', 'select, insert, update');
select protect_rows('debts', 'user_id');

create table editions (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 64),
  name jsonb not null check (in_three_languages(name, 100)),
  description jsonb not null default '{"de": "", "en": "", "ru": ""}'::jsonb check (in_three_languages(description, 400)),
  -- Sentences in three languages, in the operator's order.
  features jsonb not null default '[]' check ((jsonb_typeof(features) = 'array') and jsonb_array_length(features) <= 12),
  -- The higher one is more.
  rank integer not null default 0 check (rank >= 0 and rank <= 9999),
  trial_days smallint not null default 0 check (trial_days >= 0 and trial_days <= 60),
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now()
);
select allow_app('editions', 'select, insert, update');

create table edition_entitlements (
  edition text not null references editions,
  key text not null check (key ~ '^[a-z][a-z0-9_.]{0,62}$'),
  type text not null check (type in ('bool', 'int', 'text')),
  value jsonb not null,
  check ( case type when 'bool' then (jsonb_typeof(value) = 'boolean') when 'int' then ((jsonb_typeof(value) = 'number') and ((value #>> '{}') ~ '^-?[0-9]{1,15}$')) else ((jsonb_typeof(value) = 'string') and (length((value #>> '{}')) <= 200)) end),
  primary key (edition, key)
);
select allow_app('edition_entitlements', 'select, insert, update, delete');

-- How far the steps around the end of a licence have come (reminders, tries to renew): what makes a job that runs twice,
-- or late, do nothing twice.
create table licence_watches (
  host_id bigint primary key,
  user_id uuid not null,
  -- The end that is watched; another one starts the steps anew.
  ends_at timestamptz not null,
  -- In days from the end: the last step that was done.
  done_days smallint,
  -- When the next step is due; null behind the last.
  next_at timestamptz,
  -- The reason for which the last try to renew failed; the next rise of the balance is another chance.
  refusal text,
  -- When another plan begins that was bought already: pages and agents hear of it then.
  plan_changes_at timestamptz,
  -- The net price that the mails before this end have named; the automatic renewal charges no more (rule 46).
  announced_net bigint check (announced_net > 0),
  -- The newest rise of a price that the customer was mailed about.
  price_told bigint,
  constraint licence_watches_follow_host foreign key (user_id, host_id) references hosts (user_id, id) on update cascade
);
create index licence_watches_by_time on licence_watches (next_at);
create index licence_watches_of_user on licence_watches (user_id) where refusal is not null;
select allow_app('licence_watches', 'select, insert, update, delete');
select protect_rows('licence_watches', 'user_id');

-- The address that was licensed, and when. One address carries one licence at a time in the whole installation. Apart from the
-- periods, because a host may change its address while it runs, and must not claim the new one for the past.
create table licensed_addresses (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  host_id bigint not null,
  ipv4 inet check (family(ipv4) = 4 and masklen(ipv4) = 32),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  ipv6 inet check (is_licensable_ipv6(ipv6)),
  check (ends_at > starts_at),
  constraint one_address check (num_nonnulls(ipv4, ipv6) = 1),
  constraint licensed_addresses_follow_host foreign key (user_id, host_id) references hosts (user_id, id) on update cascade,
  constraint one_licence_for_an_address exclude using gist (ipv4 inet_ops with &&, tstzrange(starts_at, ends_at) with &&) deferrable,
  constraint one_licence_for_an_ipv6 exclude using gist (ipv6 inet_ops with &&, tstzrange(starts_at, ends_at) with &&) where ((ipv6 is not null)) deferrable
);
create index licensed_addresses_of_host on licensed_addresses (host_id, ends_at);
select allow_app('licensed_addresses', 'select, insert, update, delete');
select protect_rows('licensed_addresses', 'user_id');

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

-- The operator's catalogue. A plan is retired, never deleted: orders and hosts go on naming it.
create table plans (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 64),
  name_en text not null check (length(name_en) >= 1 and length(name_en) <= 100),
  name_de text not null check (length(name_de) >= 1 and length(name_de) <= 100),
  name_ru text not null check (length(name_ru) >= 1 and length(name_ru) <= 100),
  term text not null check (term in ('P1M', 'P3M', 'P1Y')),
  is_active boolean not null default true,
  sort integer not null default 0,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  edition text not null references editions
);
select allow_app('plans', 'select, insert, update');

-- The price at a time is that of the newest row whose time has come. Renewals may keep the one before for longer.
create table plan_prices (
  id bigint generated always as identity primary key,
  plan text not null references plans,
  -- Minor units of the installation's currency.
  net bigint not null check (net > 0 and (net <= '100000000000'::bigint)),
  from_at timestamptz not null,
  renewals_from_at timestamptz not null,
  created_at timestamptz not null default now(),
  check (renewals_from_at >= from_at)
);
create index prices_of_plan on plan_prices (plan, id);
select allow_app('plan_prices', 'select, insert');

-- A rise reaches renewals 30 days after it reaches orders: their owners hear of it in time.
create function guard_rise() returns trigger language plpgsql as $$
declare
  before bigint := (select net from plan_prices where plan = new.plan and renewals_from_at <= new.renewals_from_at order by id desc limit 1);
begin
  if new.net > before and new.renewals_from_at < new.from_at + interval '720 hours' then
    raise exception 'a rise of % reaches renewals too early', new.plan using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_rise before insert on plan_prices for each row execute function guard_rise();

select append_only('plan_prices');

-- Purchases, at the price of that moment (rule 11). Written with its charge and its invoice, never changed.
create table licence_orders (
  id uuid primary key,
  user_id uuid not null references users,
  host_id bigint not null references hosts,
  kind text not null check (kind in ('order', 'renewal', 'auto_renewal', 'upgrade', 'trial')),
  plan text not null references plans,
  -- The plan's name at that time, by language: {"en": …, "de": …, "ru": …}.
  plan_name jsonb not null,
  term text not null check (term in ('P1M', 'P3M', 'P1Y')),
  ipv4 inet check (family(ipv4) = 4 and masklen(ipv4) = 32),
  net bigint not null,
  vat bigint not null check (vat >= 0),
  total bigint not null,
  vat_rate_bp bigint not null check (vat_rate_bp >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  transaction_id uuid,
  -- The public id.
  invoice_id text,
  ordered_at timestamptz not null,
  -- The agreement by which a payer pays for a server of another account (docs/decisions/106).
  payer_id uuid references users,
  agreement_id uuid references payment_agreements,
  ipv6 inet check (is_licensable_ipv6(ipv6)),
  constraint a_payer_has_an_agreement check ((payer_id is null) = (agreement_id is null)),
  check (total = (net + vat)),
  constraint only_a_trial_costs_nothing check ( case kind when 'trial' then (net = 0 and vat = 0 and transaction_id is null and invoice_id is null and payer_id is null) else (net > 0 and transaction_id is not null and invoice_id is not null) end),
  constraint some_address check (num_nonnulls(ipv4, ipv6) > 0),
  -- A transaction, and its invoice, may be of the licences of many servers (docs/decisions/108).
  unique (transaction_id, host_id),
  unique (user_id, id)
);
create index licence_orders_of_host on licence_orders (host_id);
-- Orders that an agreement has paid in a month.
create index orders_of_agreement on licence_orders (agreement_id, ordered_at) where agreement_id is not null;
select allow_app('licence_orders', 'select, insert');
select protect_rows('licence_orders', 'user_id');

create trigger licence_orders_are_final before delete or update on licence_orders for each row execute function refuse_change();

create trigger licence_orders_are_not_truncated before truncate on licence_orders
  for each statement execute function refuse_change();

-- An order is paid by its owner, or by the payer of its agreement as inner spending and within the limit of the month.
create function order_has_its_payer() returns trigger language plpgsql as $$
declare
  paid transactions;
  agreed payment_agreements;
begin
  select * into paid from transactions where id = new.transaction_id;
  if new.payer_id is null then
    if paid.user_id <> new.user_id then
      raise exception 'order % is paid by another account', new.id using errcode = 'check_violation';
    end if;
    return null;
  end if;
  select * into agreed from payment_agreements where id = new.agreement_id for update;
  if (agreed.state, agreed.owner_id, agreed.payer_id) is distinct from ('active', new.user_id, new.payer_id)
    or not exists (select from host_payers where host_id = new.host_id and agreement_id = new.agreement_id)
    or (paid.user_id, paid.type) is distinct from (new.payer_id, 'inner_spending') then
    raise exception 'order % has no agreement that pays for it', new.id using errcode = 'check_violation';
  end if;
  if agreed.month_limit is not null and spent_by_agreement(new.agreement_id) > agreed.month_limit then
    raise exception 'agreement % has reached its limit', new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger order_has_its_payer after insert on licence_orders deferrable initially deferred
  for each row execute function order_has_its_payer();

create constraint trigger order_of_owner after insert on licence_orders deferrable initially deferred
  for each row execute function host_is_owned();

-- A licence may go on with another plan at its end, which costs nothing before (docs/decisions/031). No row: with the plan that it ends with.
--
create table licence_settings (
  host_id bigint primary key references hosts,
  user_id uuid not null references users,
  renewal_plan text not null references plans,
  chosen_at timestamptz not null default clock_timestamp()
);
create index licence_settings_by_plan on licence_settings (renewal_plan);
create index licence_settings_of_user on licence_settings (user_id);
select allow_app('licence_settings', 'select, insert, update, delete');
select protect_rows('licence_settings', 'user_id');

-- The runtime that an order paid for, [starts_at, ends_at). A refund or the end of its host shortens it, down to nothing.
create table paid_periods (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  host_id bigint not null,
  order_id uuid not null unique references licence_orders,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- The day of the month on which the unbroken runtime began.
  anchor_day smallint not null check (anchor_day >= 1 and anchor_day <= 31),
  ended text check (ended in ('refunded', 'deleted', 'upgraded')),
  plan text not null,
  edition text not null,
  term text not null,
  -- The value of this period: the price that was paid for it before VAT, less refunds.
  net bigint not null,
  payer_id uuid,
  invoice_id text,
  transaction_id uuid,
  -- The entitlements of its edition when it was bought.
  entitlements jsonb not null,
  place smallint not null default 1,
  term_starts_at timestamptz not null,
  -- A trial has no payer, no invoice and no transaction; what was bought has all of them.
  constraint paid_or_a_trial check (num_nonnulls(payer_id, invoice_id, transaction_id) in (0, 3)),
  check (ends_at >= starts_at),
  constraint paid_periods_follow_host foreign key (user_id, host_id) references hosts (user_id, id) on update cascade,
  -- A range of one number stands for the host, so that no extension is needed, which an operator's user may not make.
  constraint paid_periods_do_not_overlap exclude using gist (int8range(host_id, host_id, '[]') with &&, tstzrange(starts_at, ends_at) with &&) deferrable
);
create index paid_periods_of_host on paid_periods (host_id, starts_at, id);
-- Periods that ended in a month, and whether they went on.
create index periods_by_end on paid_periods (ends_at, host_id) include (starts_at);
create index periods_by_start on paid_periods (host_id, starts_at) include (ends_at);
select allow_app('paid_periods', 'select, insert, update');
select protect_rows('paid_periods', 'user_id');

-- The number of the list of revocations, which changes with each row of them and each withdrawn key.
create table revocation_list (
  one boolean primary key default true check (one),
  seq bigint not null,
  changed_at timestamptz not null default now()
);
insert into revocation_list (seq) values (extract(epoch from now())::bigint);
select allow_app('revocation_list', 'select');

-- Documents that were issued before a licence was suspended, cut short, moved or deleted, for verifiers that do not come to us
-- (docs/decisions/102). Written by triggers, so that no way to end a licence can forget it.
create table revocations (
  seq bigint primary key,
  -- hosts.public_id, without a reference: it outlives the host.
  sub text not null,
  -- In seconds since 1970: documents with an earlier `iat` are void.
  before bigint not null,
  reason text not null check (reason in ('suspended', 'cut_short', 'address', 'deleted', 'released', 'transferred', 'key')),
  -- No such document counts any longer then.
  until timestamptz not null,
  -- Documents with a former key are void when that key ends: at once, or at the end of the time for which it still answers.
  begins_at timestamptz
);
create index revocations_by_end on revocations (until);
create index revocations_by_sub on revocations (sub, before);
select allow_app('revocations', 'select, delete');

-- The second after a time and one more: a reader may still see the host as it was while the commit is on its way. After an earlier
-- revocation, documents bear its second, which may be still to come: the next one voids them too.
create function void_before(at timestamptz, latest bigint) returns bigint language sql immutable as $$
  select greatest(ceil(extract(epoch from at))::bigint + 1, latest + 1)
$$;

-- Never less than the clock's second: after a restore verifiers that know a later list would refuse the next one.
create function next_revocation() returns bigint language sql security definer
  set search_path = pg_catalog, public, pg_temp as $$
  update revocation_list set seq = greatest(seq + 1, extract(epoch from clock_timestamp())::bigint), changed_at = clock_timestamp()
  returning seq
$$;

-- The earliest `iat`, in seconds since 1970, that no revocation of the host voids; 0 without any. It returns a row, which PostgreSQL plans
-- within the statement that asks; a value it would ask by a statement of its own for each server of a list.
create function documents_from(of_host text) returns table(starts_s bigint) language sql stable as $$
  select coalesce(max(r.before), 0) from revocations r where r.sub = of_host
$$;

-- At the commit, so that the row of the list is the last one locked and no document from before it is signed with a later second: the second
-- that runs and the next one are void as well, for check-ins that have read the row before the commit was seen. 10 days: documents of
-- 7 days with 72 hours of grace; one day more for clocks that are off.
create function revoke_documents(of_host text, why text) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  -- A statement of its own: it waits for other revocations, and the next one sees them.
  number bigint := next_revocation();
begin
  insert into revocations (seq, sub, before, reason, until)
  values (number, of_host, void_before(clock_timestamp(), (select d.starts_s from documents_from(of_host) d)), why, clock_timestamp() + interval '11 days');
end $$;

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

create constraint trigger documents_of_another_ipv6_are_void after update on hosts deferrable initially deferred for each row
  when ((old.paid_until > now()) and old.ipv6 is not null and (new.ipv6 is distinct from old.ipv6) and (not (new.ipv4 is distinct from old.ipv4)) and new.deleted_at is null)
  execute function revoke_changed();

create function revoke_renewed() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  number bigint := next_revocation();
begin
  insert into revocations (seq, sub, before, reason, begins_at, until)
  values (number, old.public_id, void_before(clock_timestamp(), (select d.starts_s from documents_from(old.public_id) d)), 'key',
    (select f.ends_at from former_keys f where f.licence_key = old.licence_key), clock_timestamp() + interval '12 days');
  return null;
end $$;
create constraint trigger documents_of_another_key_are_void after update of licence_key on hosts deferrable initially deferred for each row
  when (old.licence_key <> new.licence_key and old.user_id = new.user_id and (old.paid_until > now()))
  execute function revoke_renewed();

create function revoke_transferred() returns trigger language plpgsql as $$
begin
  perform revoke_documents(old.public_id, 'transferred');
  return null;
end $$;
create constraint trigger transferred_documents_are_void after update of user_id on hosts deferrable initially deferred for each row
  when (old.user_id <> new.user_id and (old.paid_until > now()))
  execute function revoke_transferred();

-- The keys that sign licence documents.
create table signing_keys (
  -- RFC 7638: the hash of the public key, so that no two keys can share a name.
  kid text primary key check (length(kid) = 43),
  -- Ed25519, 32 bytes as base64url: the `x` of a JSON Web Key.
  public_key text not null check (length(public_key) = 43),
  -- PKCS 8, sealed with SECRET_KEY. Erased when the key is retired: what cannot sign cannot be stolen.
  private_key text,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  withdrawn_at timestamptz,
  check ((private_key is null) = (retired_at is not null)),
  constraint signing_keys_withdrawn_is_retired check (withdrawn_at is null or retired_at is not null)
);
create unique index signing_keys_one_signs on signing_keys ((true)) where retired_at is null;
select allow_app('signing_keys', 'select, insert, update, delete');

create function revoke_key() returns trigger language plpgsql as $$
begin
  perform next_revocation();
  return null;
end $$;
create constraint trigger withdrawn_keys_are_listed after update of withdrawn_at on signing_keys deferrable initially deferred for each row
  when (old.withdrawn_at is null and new.withdrawn_at is not null)
  execute function revoke_key();

-- Hosts that may not run although they are paid for: a member of staff or the command line suspended them. The paid time runs on
-- (docs/decisions/096).
create table suspensions (
  id uuid primary key default gen_random_uuid(),
  host_id bigint not null references hosts,
  user_id uuid not null references users,
  reason text not null check (reason in ('charge_back', 'debt', 'abuse', 'other')),
  -- The customer reads it.
  text_public text not null check (length(text_public) <= 2000),
  -- For staff.
  text_internal text not null check (length(text_internal) >= 1 and length(text_internal) <= 800),
  starts_at timestamptz not null default clock_timestamp(),
  -- A member of staff; null for the command line.
  suspended_by uuid references users on delete set null,
  lifted_at timestamptz,
  lifted_by uuid references users on delete set null,
  -- Set where the system suspended for a debt: these suspensions end with it. Null: a person suspended.
  debt_id uuid references debts,
  check (lifted_at >= starts_at),
  check (lifted_at is not null or lifted_by is null)
);
create unique index open_suspension_of_host on suspensions (host_id) where lifted_at is null;
-- The suspensions that end with a debt.
create index suspensions_of_debt on suspensions (debt_id) where debt_id is not null;
create index suspensions_of_user on suspensions (user_id, starts_at);
select allow_app('suspensions', 'select, insert, update');
select protect_rows('suspensions', 'user_id');

create function revoke_suspended() returns trigger language plpgsql as $$
declare of_host text;
begin
  select public_id into of_host from hosts where id = new.host_id and paid_until > now();
  if found then perform revoke_documents(of_host, 'suspended'); end if;
  return null;
end $$;
create constraint trigger suspended_documents_are_void after insert on suspensions deferrable initially deferred
  for each row execute function revoke_suspended();

-- The open one of a host. Without "security definer" and with one statement it is written into the query that asks, as licence_at is.
create function suspension_of(host bigint)
  returns table(starts_at timestamptz, reason text, text_public text) language sql stable as $$
  select s.starts_at, s.reason, s.text_public from suspensions s where s.host_id = host and s.lifted_at is null
$$;

-- The address on which a trial ran: an IPv4 address, or the network of an IPv6 address.
create table trial_addresses (
  address inet primary key check (masklen(address) = case family(address) when 4 then 32 else 64 end),
  host_id bigint not null references hosts,
  user_id uuid not null references users
);
create index trial_addresses_of_host on trial_addresses (host_id);
create index trial_addresses_of_user on trial_addresses (user_id);
select allow_app('trial_addresses', 'select, insert');
select protect_rows('trial_addresses', 'user_id');

create table trials (
  user_id uuid not null references users,
  edition text not null references editions,
  order_id uuid not null references licence_orders deferrable initially deferred,
  host_id bigint not null references hosts,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  check (ends_at > starts_at),
  primary key (user_id, edition)
);
create index trials_by_order on trials (order_id);
create index trials_of_host on trials (host_id);
select allow_app('trials', 'select, insert');
select protect_rows('trials', 'user_id');

-- The paid period of a host that runs at a time, or the last one before it where none does, and all that come after it. Periods that a
-- refund or a deletion shrank to nothing do not count. Without "security definer" and with one statement it is written into the query that
-- asks, so that each host costs one look into paid_periods_of_host. The price that an earlier owner has paid is hidden from the next one: it is null, but for a trial, which costs nothing.
create function licence_at(host bigint, at timestamptz)
  returns table(plan text, plan_name jsonb, edition text, term text, price bigint, net bigint, currency text, entitlements jsonb, ordered_at timestamptz, starts_at timestamptz, ends_at timestamptz)
  language sql stable as $$
  select p.plan, o.plan_name, p.edition, p.term, case when o.user_id = p.user_id or o.kind = 'trial' then o.total end, p.net, o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = p.edition), '{}') || p.entitlements,
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$$;

create function renewal_of(host bigint) returns table(plan text, plan_name jsonb, term text) language sql stable as $$
  select p.slug, jsonb_build_object('en', p.name_en, 'de', p.name_de, 'ru', p.name_ru), p.term
  from licence_settings s join plans p on p.slug = s.renewal_plan
  where s.host_id = host
$$;

-- The plans that servers with automatic renewal go on with.
create view plan_renewals with (security_invoker) as
select coalesce(s.renewal_plan, p.plan) as plan, h.id as host_id, h.user_id, p.ends_at, w.announced_net, h.public_id, h.name
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
left join licence_settings s on s.host_id = h.id
left join licence_watches w on w.host_id = h.id
where h.auto_renew and h.deleted_at is null;
select allow_app('plan_renewals', 'select');

-- The next charges of servers with automatic renewal, and from which balance, from the tables of their owners. The rate of VAT is that
-- of the last order: the next one is decided when it comes.
create view due_renewals with (security_invoker) as
select h.id as host_id, h.user_id, p.ends_at, p.ends_at - interval '24 hours' as charged_at, o.vat_rate_bp,
  coalesce(b.balance, 0) as balance,
  least(w.announced_net, (
    select r.net from plan_prices r
    where r.plan = coalesce(s.renewal_plan, p.plan) and r.renewals_from_at <= greatest(p.ends_at - interval '24 hours', now())
    order by r.id desc limit 1)) as net
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
join licence_orders o on o.id = p.order_id
left join licence_settings s on s.host_id = h.id
left join licence_watches w on w.host_id = h.id
left join balances b on b.user_id = h.user_id and b.currency = o.currency
where h.auto_renew and h.deleted_at is null;
select allow_app('due_renewals', 'select');

-- A trial is worth nothing, and is of no sale.
create view period_values with (security_invoker) as
select p.id, p.host_id, p.plan, o.plan as ordered_plan, p.term, o.term as ordered_term, p.net,
  case when o.kind = 'trial' then 0
    when not exists (select from licence_orders s where s.transaction_id = o.transaction_id and s.host_id <> o.host_id)
  then documented_net(coalesce(o.payer_id, o.user_id), o.transaction_id) end as documented_net
from paid_periods p
join licence_orders o on o.id = p.order_id;
select allow_app('period_values', 'select');

create view paid_ends with (security_invoker) as
select h.id as host_id, h.public_id, h.paid_until,
  (select max(p.ends_at) from paid_periods p where p.host_id = h.id and p.ends_at > p.starts_at) as periods_until
from hosts h where h.deleted_at is null;
select allow_app('paid_ends', 'select');

create view sale_values with (security_invoker) as
select o.transaction_id, sum(p.net)::bigint as net, sum(o.total)::bigint as total, min(p.net) as least,
  documented_net((array_agg(coalesce(o.payer_id, o.user_id)))[1], o.transaction_id) as documented_net
from paid_periods p
join licence_orders o on o.id = p.order_id
where o.transaction_id is not null
group by o.transaction_id
having count(*) > 1;
select allow_app('sale_values', 'select');

alter table acceptances add constraint acceptances_order_id_fkey foreign key (order_id) references licence_orders (id);

alter table withdrawals add constraint withdrawals_order_id_fkey foreign key (order_id) references licence_orders (id);
