-- Paid runtime for hosts: what can be bought, what was ordered, what runs. Owned by features/licences.

-- The operator's catalogue. A plan is retired, never deleted: orders and hosts go on naming it.
create table plans (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 64),
  name_en text not null check (length(name_en) between 1 and 100),
  name_de text not null check (length(name_de) between 1 and 100),
  name_ru text not null check (length(name_ru) between 1 and 100),
  term text not null check (term in ('P1M', 'P3M', 'P1Y')),
  -- Minor units of the installation's currency.
  price_net bigint not null check (price_net > 0 and price_net <= 100000000000),
  is_active boolean not null default true,
  sort integer not null default 0,
  created_at timestamptz not null default now()
);
select allow_app('plans', 'select, insert, update');

-- What was bought, at the price of that moment (rule 11). Written with its charge and its invoice, never changed.
create table licence_orders (
  id uuid primary key,
  user_id uuid not null references users,
  host_id bigint not null,
  kind text not null check (kind in ('order', 'renewal', 'auto_renewal')),
  plan text not null references plans,
  -- The plan's name at that time, by language: {"en": …, "de": …, "ru": …}.
  plan_name jsonb not null,
  term text not null check (term in ('P1M', 'P3M', 'P1Y')),
  ipv4 inet not null check (family(ipv4) = 4 and masklen(ipv4) = 32),
  net bigint not null check (net > 0),
  vat bigint not null check (vat >= 0),
  total bigint not null check (total = net + vat),
  vat_rate_bp bigint not null check (vat_rate_bp >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  transaction_id uuid not null unique,
  -- The public id.
  invoice_id text not null unique,
  ordered_at timestamptz not null,
  unique (user_id, id),
  -- Rule 3: an order cannot name another customer's host.
  foreign key (user_id, host_id) references hosts (user_id, id)
);
create index licence_orders_of_host on licence_orders (host_id);
create trigger licence_orders_are_final before update or delete on licence_orders
  for each row execute function refuse_change();
create trigger licence_orders_are_not_truncated before truncate on licence_orders
  for each statement execute function refuse_change();
select allow_app('licence_orders', 'select, insert');
select protect_rows('licence_orders', 'user_id');

-- The runtime that an order paid for, [starts_at, ends_at). A refund or the end of its host shortens it, down to nothing.
create table paid_periods (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  host_id bigint not null,
  order_id uuid not null unique,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  -- The day of the month on which the unbroken runtime began.
  anchor_day smallint not null check (anchor_day between 1 and 31),
  ended text check (ended in ('refunded', 'deleted')),
  foreign key (user_id, host_id) references hosts (user_id, id),
  foreign key (user_id, order_id) references licence_orders (user_id, id),
  -- A range of one number stands for the host, so that no extension is needed, which an operator's user may not make.
  constraint paid_periods_do_not_overlap
    exclude using gist (int8range(host_id, host_id, '[]') with &&, tstzrange(starts_at, ends_at) with &&)
    -- Checked at the end of a statement: a refund moves all later periods of a host by one.
    deferrable
);
create index paid_periods_of_host on paid_periods (host_id, starts_at, id);
select allow_app('paid_periods', 'select, insert, update');
select protect_rows('paid_periods', 'user_id');

-- Which address was licensed when. One address carries one licence at a time in the whole installation. Apart from the
-- periods, because a host may change its address while it runs, and must not claim the new one for the past.
create table licensed_addresses (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  host_id bigint not null,
  ipv4 inet not null check (family(ipv4) = 4 and masklen(ipv4) = 32),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  foreign key (user_id, host_id) references hosts (user_id, id),
  constraint one_licence_for_an_address
    exclude using gist (ipv4 inet_ops with &&, tstzrange(starts_at, ends_at) with &&) deferrable
);
create index licensed_addresses_of_host on licensed_addresses (host_id, ends_at);
select allow_app('licensed_addresses', 'select, insert, update, delete');
select protect_rows('licensed_addresses', 'user_id');

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
  -- Why the last try to renew failed; the next rise of the balance is another chance.
  refusal text,
  foreign key (user_id, host_id) references hosts (user_id, id)
);
create index licence_watches_by_time on licence_watches (next_at);
create index licence_watches_of_user on licence_watches (user_id) where refusal is not null;
select allow_app('licence_watches', 'select, insert, update, delete');
select protect_rows('licence_watches', 'user_id');
