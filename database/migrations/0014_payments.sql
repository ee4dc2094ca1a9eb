-- Vouchers (rule 12), top-ups, and what payment providers tell of them (rule 14). Owned by features/finance.

-- Codes are kept as a keyed hash: a dump of the database buys nothing.
create table vouchers (
  id bigint generated always as identity primary key,
  code_hash bytea not null unique,
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  uses integer not null check (uses > 0),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  unique (id, uses)
);
select allow_app('vouchers', 'select, insert');

-- The slot is one of the voucher's uses: one more cannot be inserted, whatever the code does. Nor a second of one customer.
create table redemptions (
  voucher_id bigint not null,
  slot integer not null check (slot between 1 and uses),
  uses integer not null,
  user_id uuid not null references users,
  transaction_id uuid not null unique references transactions,
  primary key (voucher_id, slot),
  unique (voucher_id, user_id),
  foreign key (voucher_id, uses) references vouchers (id, uses)
);
create index redemptions_of_user on redemptions (user_id);
create trigger redemptions_are_append_only before update or delete on redemptions for each row execute function refuse_change();
create trigger redemptions_are_not_truncated before truncate on redemptions for each statement execute function refuse_change();
select allow_app('redemptions', 'select, insert');
select protect_rows('redemptions', 'user_id');

create table top_ups (
  id bigint generated always as identity primary key,
  public_id text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  user_id uuid not null references users,
  provider text not null check (provider in ('test', 'bank', 'stripe')),
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'pending' check (status in ('pending', 'paid', 'failed', 'expired', 'charged_back')),
  -- What the customer writes on a bank transfer.
  reference text unique,
  redirect_url text,
  -- The provider's own name for the payment, known once it was paid; disputes name it.
  payment_reference text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  unique (id, user_id)
);
create index top_ups_of_user on top_ups (user_id, id);
create index top_ups_pending on top_ups (created_at) where status = 'pending';
create index top_ups_by_payment on top_ups (provider, payment_reference);
select allow_app('top_ups', 'select, insert, update (status, redirect_url, payment_reference)');
select protect_rows('top_ups', 'user_id');

-- What providers told, each event once (rule 14). One that tells of a payment we do not know of yet waits for it. What is
-- posted is posted in the transaction that settles its event. No names, no cards: only what the books need.
create table payment_events (
  provider text not null,
  event_id text not null check (length(event_id) between 1 and 255),
  -- In the order in which they came.
  place bigint generated always as identity unique,
  kind text not null check (kind in ('paid', 'failed', 'charged_back', 'reinstated')),
  top_up_id bigint references top_ups,
  payment_reference text,
  -- Null: all of it.
  amount bigint check (amount > 0),
  currency text,
  reason text not null default '',
  settled_at timestamptz,
  transaction_id uuid unique references transactions,
  created_at timestamptz not null default now(),
  primary key (provider, event_id),
  check (transaction_id is null or settled_at is not null)
);
-- A payment is posted once, by however many events it is told.
create unique index one_payment_of_top_up on payment_events (top_up_id) where kind = 'paid' and transaction_id is not null;
create index events_of_top_up on payment_events (top_up_id);
create index events_that_wait on payment_events (provider, payment_reference) where top_up_id is null;
select allow_app('payment_events', 'select, insert, update (top_up_id, settled_at, transaction_id)');
