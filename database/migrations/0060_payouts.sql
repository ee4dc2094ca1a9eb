-- Payouts: money of a balance that goes back to its customer, to a bank account or to where it came from (docs/decisions/190).

-- A bank account is a row of its own, so that it can be erased while the payout stays. An approval names it by its id.
create table payout_accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  iban_sealed text not null,
  holder text not null check (length(holder) between 1 and 70),
  -- The last four characters, by which a customer knows the account again.
  iban_end text not null check (iban_end ~ '^[A-Z0-9]{4}$'),
  created_at timestamptz not null default now(),
  unique (id, user_id)
);
create index payout_accounts_of_user on payout_accounts (user_id);
create index payout_accounts_by_time on payout_accounts (created_at);
select allow_app('payout_accounts', 'select, insert, update (iban_sealed), delete');
select protect_rows('payout_accounts', 'user_id');

-- The payouts that staff download together. A payout is in one file for good, and the file can be downloaded again.
create table payout_files (
  id text primary key check (id ~ '^PF-[0-9A-F]{10}$'),
  -- The account that pays, as the settings named it; null where they named none.
  payer_name text,
  payer_iban text,
  payer_bic text,
  payouts int not null check (payouts > 0),
  total bigint not null check (total > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Null for the command line.
  created_by uuid references users,
  created_at timestamptz not null default date_trunc('milliseconds', now())
);
create index payout_files_by_time on payout_files (created_at, id);
select allow_app('payout_files', 'select, insert');
select append_only('payout_files');

create table payouts (
  id bigint generated always as identity primary key,
  public_id text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  -- The reference on the transfer.
  reference text not null unique check (reference ~ '^PO-[0-9A-F]{10}$'),
  user_id uuid not null references users,
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  way text not null check (way in ('source', 'bank')),
  state text not null default 'requested' check (state in ('requested', 'sent', 'failed', 'returned')),
  -- The payment that goes back to where it came from.
  top_up_id bigint references top_ups,
  provider text not null,
  -- Null once it is erased.
  account_id uuid,
  file_id text references payout_files,
  -- The member of staff who asked for it; null for the customer and for the command line.
  requested_by uuid references users,
  -- The words of staff for the customer: why it was asked for, and why it failed.
  reason text not null default '' check (length(reason) <= 200),
  failure text not null default '' check (length(failure) <= 200),
  -- When the provider was first asked, and the provider's own id of the refund.
  asked_at timestamptz,
  provider_reference text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  ended_at timestamptz,
  check ((way = 'source') = (top_up_id is not null)),
  check (way = 'bank' or (account_id is null and file_id is null)),
  check ((state = 'requested') = (ended_at is null)),
  foreign key (account_id, user_id) references payout_accounts (id, user_id) on delete set null (account_id)
);
create index payouts_of_user on payouts (user_id, id);
create index payouts_of_account on payouts (account_id) where account_id is not null;
create index payouts_of_file on payouts (file_id, id) where file_id is not null;
create index payouts_under_way on payouts (id) where state = 'requested';
create index payouts_by_state on payouts (state, id);
select allow_app('payouts', 'select, insert, update (state, account_id, file_id, failure, asked_at, provider_reference, ended_at)');
select protect_rows('payouts', 'user_id');

-- The bookings that took the money of a payout from the balance, one for each payment that it gives back, and those that brought it back.
create table payout_bookings (
  transaction_id uuid primary key references transactions,
  payout_id bigint not null references payouts,
  kind text not null check (kind in ('out', 'back')),
  amount bigint not null check (amount > 0),
  -- Its place among the bookings of its payout.
  place int not null
);
create index payout_bookings_of_payout on payout_bookings (payout_id);
select allow_app('payout_bookings', 'select, insert');
select append_only('payout_bookings');
