-- The ledger (rules 6 to 10). Owned by features/finance. Amounts are minor units of the currency that stands beside them.

-- What may be booked at all (row F-01): which way each type moves the customer's account, which of the operator's
-- accounts stands against it, and which earlier transaction it takes back.
create table transaction_types (
  type text primary key,
  sign smallint not null check (sign in (-1, 1)),
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
  ('inner_refund', 1, 'revenue', 'inner_spending', true);
-- A bank may decide that a payment it pulled back was right after all.
update transaction_types set reverses = 'charge_back' where type = 'fill_balance';
create trigger transaction_types_are_fixed before insert or update or delete on transaction_types
  for each row execute function refuse_change();
create trigger transaction_types_are_not_truncated before truncate on transaction_types
  for each statement execute function refuse_change();
select allow_app('transaction_types', 'select');

-- One account for each customer and currency; of the operator's own one for each kind, currency and (for payments) provider.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('customer', 'payments', 'promotions', 'revenue')),
  user_id uuid references users,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  name text not null default '',
  check ((kind = 'customer') = (user_id is not null)),
  unique (id, currency)
);
create unique index account_of_customer on ledger_accounts (user_id, currency) where user_id is not null;
create unique index account_of_operator on ledger_accounts (kind, currency, name) where user_id is null;
create trigger ledger_accounts_are_append_only before update or delete on ledger_accounts
  for each row execute function refuse_change();
create trigger ledger_accounts_are_not_truncated before truncate on ledger_accounts
  for each statement execute function refuse_change();
select allow_app('ledger_accounts', 'select, insert');
select protect_rows('ledger_accounts', 'user_id');
-- The operator's accounts come to be with the first transaction that needs them, whoever makes it.
create policy inserted_for_the_operator on ledger_accounts for insert with check (user_id is null);

-- Only customers' accounts have a balance row. The operator's are summed up when somebody asks: a row of theirs would
-- be locked by every purchase, and all customers would wait in one line (docs/decisions/013).
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
  constraint no_overdraft check (allow_negative or balance >= 0),
  foreign key (account_id, currency) references ledger_accounts (id, currency)
);
create index balances_of_user on balances (user_id);
-- A row can only be locked by who may change a column of it; the trigger below refuses the change itself.
select allow_app('balances', 'select, update (account_id)');
select protect_rows('balances', 'user_id');

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
  unique (id, user_id, currency),
  foreign key (reverses, user_id, currency) references transactions (id, user_id, currency)
);
create index transactions_reversing on transactions (reverses) where reverses is not null;
select allow_app('transactions', 'select, insert');
select protect_rows('transactions', 'user_id');

-- Exactly two a transaction, whose amounts cancel each other out. The customer's carries the number, the time and the
-- balance after it, all given by the trigger.
create table entries (
  transaction_id uuid not null references transactions,
  account_id bigint not null,
  currency text not null,
  amount bigint not null check (amount <> 0 and abs(amount) < 1000000000000000),
  type text not null default '',
  user_id uuid,
  of_customer boolean not null generated always as (user_id is not null) stored,
  seq bigint,
  balance_after bigint,
  created_at timestamptz not null default now(),
  -- One entry for each side: a third cannot be.
  primary key (transaction_id, of_customer),
  foreign key (account_id, currency) references ledger_accounts (id, currency),
  check ((user_id is null) = (seq is null) and (seq is null) = (balance_after is null)),
  -- Only a charge-back takes what is not there.
  constraint no_spending_in_debt check (balance_after >= 0 or amount > 0 or type = 'charge_back')
);
create unique index entries_in_order on entries (account_id, seq) where seq is not null;
create index entries_by_type on entries (account_id, type, seq) where seq is not null;
create index entries_by_time on entries (account_id, created_at, seq) where seq is not null;
select allow_app('entries', 'select, insert');
select protect_rows('entries', 'user_id');
create policy inserted_for_the_operator on entries for insert with check (user_id is null);

create trigger transactions_are_append_only before update or delete on transactions for each row execute function refuse_change();
create trigger transactions_are_not_truncated before truncate on transactions for each statement execute function refuse_change();
create trigger entries_are_append_only before update or delete on entries for each row execute function refuse_change();
create trigger entries_are_not_truncated before truncate on entries for each statement execute function refuse_change();

-- Books an entry: takes the customer's next number and keeps the balance, under the lock of its row. Runs as the owner,
-- so that the application needs no right to change a balance. What the caller wrote into these columns does not count.
create function book_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  owner uuid;
  account_kind text;
  rule transaction_types;
  booked balances;
begin
  select kind, user_id into account_kind, owner from ledger_accounts where id = new.account_id;
  select t.* into rule from transactions x join transaction_types t on t.type = x.type where x.id = new.transaction_id;
  new.type := rule.type;
  new.user_id := owner;
  new.seq := null;
  new.balance_after := null;
  new.created_at := date_trunc('milliseconds', clock_timestamp());
  if account_kind = 'customer' then
    if sign(new.amount) <> rule.sign then
      raise exception '% does not move a customer''s account by %', rule.type, new.amount using errcode = 'check_violation';
    end if;
    if not exists (select from balances where account_id = new.account_id) then
      insert into balances (account_id, user_id, currency) values (new.account_id, owner, new.currency) on conflict do nothing;
    end if;
    update balances set
      balance = balance + new.amount,
      allow_negative = balance + new.amount < 0 and (new.type = 'charge_back' or allow_negative),
      last_seq = last_seq + 1,
      last_at = greatest(date_trunc('milliseconds', clock_timestamp()), last_at)
    where account_id = new.account_id returning * into booked;
    new.seq := booked.last_seq;
    new.balance_after := booked.balance;
    new.created_at := booked.last_at;
  elsif account_kind <> rule.counterpart or sign(new.amount) = rule.sign then
    raise exception '% does not move % by %', rule.type, account_kind, new.amount using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger entries_are_booked before insert on entries for each row execute function book_entry();

-- A balance is what its entries make it: it begins at nothing and changes with an entry only.
create function guard_balance() returns trigger language plpgsql as $$
begin
  if tg_op in ('DELETE', 'TRUNCATE') or pg_trigger_depth() < 2 then
    raise exception 'a balance follows its entries' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger balances_follow_entries before insert or update or delete on balances for each row execute function guard_balance();
create trigger balances_are_not_truncated before truncate on balances for each statement execute function guard_balance();

-- Looked at when the database's transaction commits: two sides that cancel out, for the customer and in the currency of
-- the head, and what is taken back was there to be taken. The customer's balance is locked by then, so that of two refunds
-- at once the second sees the first. Looking at heads is enough: one that is committed has both its sides, and their key
-- has no room for another.
create function balance_transaction() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rule transaction_types;
  sides int;
  total numeric;
  origin_type text;
  taken_back numeric;
begin
  select * into rule from transaction_types where type = new.type;
  select count(*) filter (where currency = new.currency and (user_id = new.user_id or user_id is null)), sum(amount)
    into sides, total from entries where transaction_id = new.id;
  if sides <> 2 or total <> 0 then
    raise exception 'transaction % has % sides, which come to %', new.id, sides, total using errcode = 'check_violation';
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
create constraint trigger transactions_are_balanced after insert on transactions
  deferrable initially deferred for each row execute function balance_transaction();

-- Which document tells of a transaction. Apart, because the ledger's own rows never change.
create table transaction_documents (
  transaction_id uuid primary key references transactions,
  user_id uuid not null references users,
  invoice_id text not null unique
);
create trigger transaction_documents_are_append_only before update or delete on transaction_documents
  for each row execute function refuse_change();
create trigger transaction_documents_are_not_truncated before truncate on transaction_documents
  for each statement execute function refuse_change();
select allow_app('transaction_documents', 'select, insert');
select protect_rows('transaction_documents', 'user_id');
