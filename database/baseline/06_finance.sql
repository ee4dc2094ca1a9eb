-- One account for each customer and currency; of the operator's own one for each kind, currency and (for payments) provider.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('customer', 'payments', 'promotions', 'revenue', 'vat')),
  user_id uuid references users,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  name text not null default '',
  check ((kind = 'customer') = (user_id is not null)),
  -- The name of an account for VAT is the country that it is owed to.
  constraint vat_account_of_a_country check (kind <> 'vat' or name ~ '^[A-Z]{2}$'),
  unique (id, currency)
);
create unique index account_of_customer on ledger_accounts (user_id, currency) where user_id is not null;
create unique index account_of_operator on ledger_accounts (kind, currency, name) where user_id is null;
select allow_app('ledger_accounts', 'select, insert');
alter table ledger_accounts enable row level security;
alter table ledger_accounts force row level security;
create policy readable on ledger_accounts for select using (true);
create policy inserted_by_owner on ledger_accounts for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
-- The operator's accounts come to be with the first transaction that needs them, whoever makes it.
create policy inserted_for_the_operator on ledger_accounts for insert
  with check (user_id is null);
create policy updated_by_owner on ledger_accounts for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on ledger_accounts for delete using (actor_owns(user_id));

select append_only('ledger_accounts');

-- Only customers' accounts have a balance row. The operator's are summed up when somebody asks: a row of theirs would
-- be locked by every purchase, and all customers would wait in one line (docs/decisions/081).
create table balances (
  account_id bigint primary key,
  user_id uuid not null references users,
  currency text not null,
  balance bigint not null default 0,
  -- Set by a charge-back, cleared once the debt is paid.
  allow_negative boolean not null default false,
  -- The number and time of the newest entry: both only ever rise.
  last_seq bigint not null default 0,
  last_at timestamptz not null default '-infinity',
  gift bigint not null default 0,
  constraint no_gift_twice check (gift >= 0),
  constraint no_overdraft check (allow_negative or balance >= 0),
  foreign key (account_id, currency) references ledger_accounts (id, currency)
);
create index balances_by_amount on balances (balance, user_id);
create index balances_of_user on balances (user_id);
select allow_app('balances', 'select, update (account_id)');
alter table balances enable row level security;
alter table balances force row level security;
create policy readable on balances for select using (true);
create policy inserted_by_owner on balances for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy updated_by_owner on balances for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on balances for delete using (actor_owns(user_id));

-- A balance is what its entries make it: it begins at nothing and changes with an entry only.
create function guard_balance() returns trigger language plpgsql as $$
begin
  if tg_op in ('DELETE', 'TRUNCATE') or pg_trigger_depth() < 2 then
    raise exception 'a balance follows its entries' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger balances_are_not_truncated before truncate on balances for each statement execute function guard_balance();

create trigger balances_follow_entries before insert or delete or update on balances for each row execute function guard_balance();

-- The sums of the ledger at the end of each month, which prove later that no old month has changed, and from which the balances of any
-- moment are a month away at most (docs/decisions/081).
create table ledger_closings (
  -- Its first day, in the operator's time zone.
  month date not null check (extract(day from month) = 1),
  -- The first moment of the next month.
  until timestamptz not null,
  kind text not null check (kind in ('customer', 'payments', 'promotions', 'revenue', 'vat')),
  -- Of customers 'credit' or 'debt': those with a balance below zero are apart. Of others the name of the account.
  name text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Minor units, and how many entries: of all time until then.
  sum bigint not null,
  entries bigint not null check (entries > 0),
  closed_at timestamptz not null default now(),
  check (kind <> 'customer' or name in ('credit', 'debt')),
  primary key (month, kind, name, currency)
);
select allow_app('ledger_closings', 'select, insert');

select append_only('ledger_closings');

create table top_ups (
  id bigint generated always as identity primary key,
  public_id text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  user_id uuid not null references users,
  provider text not null check (provider in ('test', 'bank', 'stripe')),
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'pending'
    check (status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'charged_back', 'corrected')),
  -- The reference that the customer writes on a bank transfer.
  reference text unique,
  redirect_url text,
  -- The provider's own name for the payment, known once it was paid; disputes name it.
  payment_reference text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  reminded_at timestamptz,
  unique (id, user_id)
);
create index top_ups_by_payment on top_ups (provider, payment_reference);
create index top_ups_of_user on top_ups (user_id, id);
create index top_ups_pending on top_ups (created_at) where status = 'pending';
select allow_app('top_ups', 'select, insert, update (status, redirect_url, payment_reference, reminded_at)');
select protect_rows('top_ups', 'user_id');

-- The types that may be booked (row F-01): which way each type moves the customer's account, which of the operator's
-- accounts stands against it, and which earlier transaction it takes back.
create table transaction_types (
  type text primary key,
  sign smallint not null check (sign in (-1, 0, 1)),
  counterpart text not null check (counterpart in ('payments', 'promotions', 'revenue')),
  reverses text references transaction_types,
  must_reverse boolean not null,
  check (reverses is not null or not must_reverse)
);
insert into transaction_types (type, sign, counterpart, reverses, must_reverse) values
  ('fill_balance', 1, 'payments', null, false),
  ('fill_balance_voucher', 1, 'promotions', null, false),
  ('charge_back', -1, 'payments', 'fill_balance', true),
  ('spend', -1, 'revenue', null, false),
  ('return_on_balance', 1, 'revenue', 'spend', true),
  ('inner_spending', -1, 'revenue', null, false),
  ('inner_refund', 1, 'revenue', 'inner_spending', true),
  ('vat_split', 0, 'revenue', null, false);
-- A bank may decide that a payment it pulled back was right after all.
update transaction_types set reverses = 'charge_back' where type = 'fill_balance';
select allow_app('transaction_types', 'select');

create trigger transaction_types_are_fixed before insert or delete or update on transaction_types
  for each row execute function refuse_change();

create trigger transaction_types_are_not_truncated before truncate on transaction_types
  for each statement execute function refuse_change();

create table transactions (
  id uuid primary key,
  type text not null references transaction_types,
  user_id uuid not null references users,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The public id of the host it was for.
  host_id text,
  description jsonb not null,
  reverses uuid,
  created_at timestamptz not null default now(),
  -- The transaction whose VAT this one moves out of revenue, and the document (its public id) that says how much it is.
  splits uuid,
  splits_document text,
  constraint splits_a_document
    check (((type = 'vat_split') = (splits is not null)) and ((splits is null) = (splits_document is null))),
  constraint splits_its_own foreign key (splits, user_id, currency) references transactions (id, user_id, currency),
  foreign key (reverses, user_id, currency) references transactions (id, user_id, currency),
  unique (id, user_id, currency)
);
create index transactions_by_time on transactions (created_at, id) where splits is null;
create index transactions_by_type on transactions (type, created_at, id) where splits is null;
create index transactions_reversing on transactions (reverses) where reverses is not null;
create unique index transactions_split_once on transactions (splits, splits_document) where splits is not null;
select allow_app('transactions', 'select, insert');
alter table transactions enable row level security;
alter table transactions force row level security;
create policy readable on transactions for select using (true);
create policy inserted_by_owner on transactions for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy updated_by_owner on transactions for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on transactions for delete using (actor_owns(user_id));

select append_only('transactions');

-- A transaction has one side of its customer and up to three of the operator, which come to nothing: revenue or payments, VAT, and the gift
-- that a spending took or a refund gives back, which comes out of what the operator gave away. A split moves VAT between two of the operator's.
create function balance_transaction() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  rule transaction_types;
  sides int;
  own int;
  operators int;
  total numeric;
  gift_moved numeric;
  gift_side numeric;
  origin_type text;
  taken_back numeric;
begin
  select * into rule from transaction_types where type = new.type;
  select count(*), count(*) filter (where currency = new.currency and user_id = new.user_id),
      count(*) filter (where currency = new.currency and user_id is null), sum(amount), coalesce(sum(gift), 0),
      coalesce(sum(amount) filter (where is_gift), 0)
    into sides, own, operators, total, gift_moved, gift_side from entries where transaction_id = new.id;
  if total is distinct from 0 or own + operators <> sides
     or not (case when rule.sign = 0 then own = 0 and operators = 2 else own = 1 and operators in (1, 2, 3) end) then
    raise exception 'transaction % has % sides, which come to %', new.id, sides, total using errcode = 'check_violation';
  end if;
  if gift_side <> (case when rule.counterpart = 'revenue' then -gift_moved else 0 end) then
    raise exception 'transaction % moves a gift of % and books %', new.id, gift_moved, gift_side using errcode = 'check_violation';
  end if;
  if new.splits is not null and not exists (
    select from transactions x join transaction_types t on t.type = x.type
    where x.id = new.splits and t.counterpart = 'revenue' and t.sign <> 0) then
    raise exception '% % takes VAT out of what is no revenue, which does not move it', new.type, new.id using errcode = 'check_violation';
  end if;
  if new.reverses is null then
    if rule.must_reverse then
      raise exception '% % takes nothing back', new.type, new.id using errcode = 'check_violation';
    end if;
    return null;
  end if;
  select type into origin_type from transactions where id = new.reverses;
  select sum(e.amount) into taken_back from transactions t join entries e on e.transaction_id = t.id and e.of_customer
    where t.id = new.reverses or t.reverses = new.reverses;
  if origin_type is distinct from rule.reverses or taken_back * rule.sign > 0 then
    raise exception '% % takes back what is not there', new.type, new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger transactions_are_balanced after insert on transactions deferrable initially deferred
  for each row execute function balance_transaction();

-- The sides of a transaction, whose amounts cancel each other out. The customer's carries the number, the time and the balance after it,
-- all given by the trigger.
create table entries (
  transaction_id uuid not null references transactions,
  account_id bigint not null,
  currency text not null,
  amount bigint not null check (amount <> 0 and (abs(amount) < '1000000000000000'::bigint)),
  type text not null default '',
  user_id uuid,
  of_customer boolean generated always as (user_id is not null) stored not null,
  seq bigint,
  balance_after bigint,
  created_at timestamptz not null default now(),
  is_vat boolean not null default false,
  gift bigint not null default 0,
  is_gift boolean not null default false,
  check (((user_id is null) = (seq is null)) and ((seq is null) = (balance_after is null))),
  constraint gift_is_a_part
    check (gift = 0 or (of_customer and (sign(gift::double precision) = sign(amount::double precision)) and (abs(gift) <= abs(amount)))),
  constraint gift_is_not_the_customers check (not (is_gift and (of_customer or is_vat))),
  -- Only a charge-back takes what is not there.
  constraint no_spending_in_debt check (balance_after >= 0 or amount > 0 or type = 'charge_back'),
  constraint vat_is_not_the_customers check (not (is_vat and of_customer)),
  foreign key (account_id, currency) references ledger_accounts (id, currency),
  primary key (transaction_id, of_customer, is_vat, is_gift)
);
-- Entries since a closing.
create index entries_by_moment on entries (created_at);
create index entries_by_time on entries (account_id, created_at, seq) where seq is not null;
create index entries_by_type on entries (account_id, type, seq) where seq is not null;
create unique index entries_in_order on entries (account_id, seq) where seq is not null;
-- Balances of customers at a moment are read from the index alone: the entries of one month.
create index entries_of_customers_by_moment on entries (created_at) include (currency, amount, balance_after) where user_id is not null;
create index entries_of_gifts on entries (created_at) include (currency, gift) where gift <> 0;
select allow_app('entries', 'select, insert');
alter table entries enable row level security;
alter table entries force row level security;
create policy readable on entries for select using (true);
create policy inserted_by_owner on entries for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
-- The operator's accounts come to be with the first transaction that needs them, whoever makes it.
create policy inserted_for_the_operator on entries for insert
  with check (user_id is null);
create policy updated_by_owner on entries for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on entries for delete using (actor_owns(user_id));

select append_only('entries');

-- Books an entry: takes the customer's next number and keeps the balance, under the lock of its row. Runs as the owner,
-- so that the application needs no right to change a balance. What the caller wrote into these columns does not count.
create function book_entry() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  owner uuid;
  account_kind text;
  rule transaction_types;
  booked balances;
  head transactions;
  held bigint;
  spent record;
begin
  select kind, user_id into account_kind, owner from ledger_accounts where id = new.account_id;
  select * into head from transactions where id = new.transaction_id;
  select * into rule from transaction_types where type = head.type;
  new.type := rule.type;
  new.user_id := owner;
  new.is_vat := account_kind = 'vat';
  new.is_gift := account_kind = 'promotions' and rule.counterpart = 'revenue';
  new.seq := null;
  new.balance_after := null;
  new.created_at := date_trunc('milliseconds', clock_timestamp());
  if account_kind = 'customer' then
    -- The sign of a split is 0, and no amount is: it cannot touch a customer's account.
    if sign(new.amount) <> rule.sign then
      raise exception '% does not move a customer''s account by %', rule.type, new.amount using errcode = 'check_violation';
    end if;
    if not exists (select from balances where account_id = new.account_id) then
      insert into balances (account_id, user_id, currency) values (new.account_id, owner, new.currency) on conflict do nothing;
    end if;
    select gift into held from balances where account_id = new.account_id for update;
    if rule.counterpart = 'promotions' then
      -- A debt that is written off is given up, and leaves nothing to spend.
      new.gift := case when head.description ->> 'code' = 'written_off' then 0 else new.amount end;
    elsif rule.counterpart <> 'revenue' then
      new.gift := 0;
    elsif rule.sign < 0 then
      new.gift := -least(held, -new.amount);
    else
      -- A refund gives back what was spent as what it was: at most the gift that is not back yet as a gift, at most the money as money.
      select -o.amount as amount, -o.gift as gift, coalesce(b.amount, 0) as amount_back, coalesce(b.gift, 0) as gift_back into spent
        from entries o, lateral (
          select sum(e.amount) as amount, sum(e.gift) as gift from transactions r join entries e on e.transaction_id = r.id and e.of_customer
          where r.reverses = head.reverses and r.id <> head.id) b
        where o.transaction_id = head.reverses and o.of_customer;
      new.gift := least(spent.gift - spent.gift_back, new.amount, greatest(new.gift,
        new.amount - (spent.amount - spent.gift - (spent.amount_back - spent.gift_back))));
    end if;
    update balances set
      balance = balance + new.amount,
      gift = gift + new.gift,
      allow_negative = balance + new.amount < 0 and (new.type = 'charge_back' or allow_negative),
      last_seq = last_seq + 1,
      last_at = greatest(date_trunc('milliseconds', clock_timestamp()), last_at)
    where account_id = new.account_id returning * into booked;
    new.seq := booked.last_seq;
    new.balance_after := booked.balance;
    new.created_at := booked.last_at;
  else
    new.gift := 0;
    -- VAT stands beside revenue only, and so does the side of a spent gift; both move its way.
    if (case when new.is_vat or new.is_gift then 'revenue' else account_kind end) <> rule.counterpart or sign(new.amount) = rule.sign then
      raise exception '% does not move % by %', rule.type, account_kind, new.amount using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $$;
create trigger entries_are_booked before insert on entries for each row execute function book_entry();

-- The key leaves room for one side more, so that looking at heads is not enough: nothing joins a transaction that is booked
-- already, for one more side alone cannot come to nothing.
create function balance_sides() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  sides int;
  total numeric;
begin
  select count(*), sum(amount) into sides, total from entries where transaction_id = new.transaction_id;
  if total <> 0 then
    raise exception 'transaction % has % sides, which come to %', new.transaction_id, sides, total using errcode = 'check_violation';
  end if;
  return null;
end $$;
-- A side of the customer alone joins nothing: every transaction of theirs has it, and a split may have none.
create constraint trigger sides_are_balanced after insert on entries deferrable initially deferred for each row
  when (not new.of_customer)
  execute function balance_sides();

-- The events that providers told, each once (rule 14). One that tells of a payment we do not know of yet waits for it. What is
-- posted is posted in the transaction that settles its event. No names, no cards: only what the books need.
create table payment_events (
  provider text not null,
  event_id text not null check (length(event_id) >= 1 and length(event_id) <= 255),
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
  -- The provider's own id of the dispute or refund that took the money, or gives it back; null for what has none.
  taken_by text,
  -- The country of the card or bank account that paid is evidence of a buyer's place (docs/decisions/147).
  paid_from text check (paid_from ~ '^[A-Z]{2}$'),
  check (transaction_id is null or settled_at is not null),
  primary key (provider, event_id)
);
create index events_of_top_up on payment_events (top_up_id);
create index events_that_wait on payment_events (provider, payment_reference) where top_up_id is null;
-- A payment is posted once, by however many events it is told.
create unique index one_payment_of_top_up on payment_events (top_up_id) where kind = 'paid' and transaction_id is not null;
select allow_app('payment_events', 'select, insert, update (top_up_id, settled_at, transaction_id)');

-- All transactions that an event posted: payment_events.transaction_id is the first.
create table payment_event_bookings (
  transaction_id uuid primary key references transactions,
  provider text not null,
  event_id text not null,
  foreign key (provider, event_id) references payment_events (provider, event_id)
);
create index payment_event_bookings_of_event on payment_event_bookings (provider, event_id);
select allow_app('payment_event_bookings', 'select, insert');

select append_only('payment_event_bookings');

-- The document that tells of a transaction. Apart, because the ledger's own rows never change.
create table transaction_documents (
  transaction_id uuid primary key references transactions,
  user_id uuid not null references users,
  invoice_id text not null unique
);
select allow_app('transaction_documents', 'select, insert');
alter table transaction_documents enable row level security;
alter table transaction_documents force row level security;
create policy readable on transaction_documents for select using (true);
create policy inserted_by_owner on transaction_documents for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy updated_by_owner on transaction_documents for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on transaction_documents for delete using (actor_owns(user_id));

select append_only('transaction_documents');

create table unbooked_events (
  id uuid primary key default gen_random_uuid(),
  -- In the order in which they came.
  place bigint generated always as identity unique,
  provider text not null,
  event_id text not null check (length(event_id) >= 1 and length(event_id) <= 255),
  -- The event that it tells of, and why it is not booked; features/finance/rules.ts has the words.
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  cause text not null check (cause ~ '^[a-z_]{1,40}$'),
  user_id uuid references users,
  top_up_id bigint references top_ups,
  payment_reference text,
  -- Minor units: what is not booked of the event; null where the sender does not say it.
  amount bigint check (amount > 0),
  currency text,
  reason text not null default '',
  created_at timestamptz not null default now(),
  done_at timestamptz,
  -- A member of staff; null where it was booked by itself after all.
  done_by uuid references users on delete set null,
  done_note text not null default '',
  check (done_at is not null or (done_by is null and done_note = '')),
  unique (provider, event_id, cause)
);
create index unbooked_events_of_top_up on unbooked_events (top_up_id) where top_up_id is not null;
create index unbooked_events_of_user on unbooked_events (user_id) where user_id is not null;
create index unbooked_events_open on unbooked_events (place) where done_at is null;
select allow_app('unbooked_events', 'select, insert, update (done_at, done_by, done_note)');
select protect_rows('unbooked_events', 'user_id');

-- Codes are kept as a keyed hash: a dump of the database buys nothing.
create table vouchers (
  id bigint generated always as identity primary key,
  code_hash bytea not null unique,
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  uses integer not null check (uses > 0),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  -- For staff, who see it instead of the code.
  note text not null default '' check (length(note) <= 800),
  -- A member of staff; null for the command line.
  made_by uuid references users on delete set null,
  voided_at timestamptz,
  voided_by uuid references users on delete set null,
  void_reason text check (length(void_reason) >= 1 and length(void_reason) <= 800),
  constraint void_has_a_reason check ((voided_at is null) = (void_reason is null)),
  unique (id, uses)
);
select allow_app('vouchers', 'select, insert, update (voided_at, voided_by, void_reason)');

-- A voucher keeps its value, and is voided once.
create function keep_voucher() returns trigger language plpgsql as $$
begin
  if (new.id, new.code_hash, new.amount, new.currency, new.uses, new.expires_at, new.created_at, new.note)
    is distinct from (old.id, old.code_hash, old.amount, old.currency, old.uses, old.expires_at, old.created_at, old.note)
    or (old.voided_at is not null and (new.voided_at, new.void_reason) is distinct from (old.voided_at, old.void_reason)) then
    raise exception 'a voucher is only voided, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_voucher before update on vouchers for each row execute function keep_voucher();

-- The slot is one of the voucher's uses: one more cannot be inserted, whatever the code does. Nor a second of one customer.
create table redemptions (
  voucher_id bigint not null,
  slot integer not null,
  uses integer not null,
  user_id uuid not null references users,
  transaction_id uuid not null unique references transactions,
  check (slot >= 1 and slot <= uses),
  foreign key (voucher_id, uses) references vouchers (id, uses),
  primary key (voucher_id, slot),
  unique (voucher_id, user_id)
);
create index redemptions_of_user on redemptions (user_id);
select allow_app('redemptions', 'select, insert');
select protect_rows('redemptions', 'user_id');

select append_only('redemptions');

-- Locks all balances of an act by one statement, in the order of the accounts. One of them may be another account's, whose row the
-- transaction may not write yet, so this one step is the system's. It writes nothing.
create function lock_balances(customers uuid[], of_currency text)
  returns table(user_id uuid, balance bigint) language plpgsql as $$
#variable_conflict use_column
declare
  actor text := current_setting('app.actor', true);
begin
  perform set_config('app.actor', 'system', true);
  return query select b.user_id, b.balance from balances b
    where b.user_id = any(customers) and b.currency = of_currency order by b.account_id for update;
  perform set_config('app.actor', coalesce(actor, ''), true);
end $$;
