-- The tables of features/finance with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Only customers' accounts have a balance row. The operator's are summed up when somebody asks: a row of theirs would
-- be locked by every purchase, and all customers would wait in one line (docs/decisions/081).
create table balances (
  account_id bigint not null,
  user_id uuid not null,
  currency text not null,
  balance bigint default 0 not null,
  -- Set by a charge-back, cleared once the debt is paid.
  allow_negative boolean default false not null,
  -- The number and time of the newest entry: both only ever rise.
  last_seq bigint default 0 not null,
  last_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  gift bigint default 0 not null,
  constraint balances_pkey primary key (account_id),
  constraint balances_account_id_currency_fkey foreign key (account_id, currency) references ledger_accounts(id, currency),
  constraint balances_user_id_fkey foreign key (user_id) references users(id),
  constraint no_gift_twice check (gift >= 0),
  constraint no_overdraft check (allow_negative or balance >= 0)
);
create index balances_by_amount on balances (balance, user_id);
create index balances_of_user on balances (user_id);
grant select on balances to hostdesk_app;
alter table balances enable row level security;
alter table balances force row level security;
create policy deleted_by_owner on balances for delete using (actor_owns(user_id));
create policy inserted_by_owner on balances for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy readable on balances for select using (true);
create policy updated_by_owner on balances for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));
create trigger balances_are_not_truncated before truncate on balances for each statement execute function guard_balance();
create trigger balances_follow_entries before insert or delete or update on balances for each row execute function guard_balance();

-- A balance is what its entries make it: it begins at nothing and changes with an entry only.
create function guard_balance()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op in ('DELETE', 'TRUNCATE') or pg_trigger_depth() < 2 then
    raise exception 'a balance follows its entries' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- The sides of a transaction, whose amounts cancel each other out. The customer's carries the number, the time and the balance after it,
-- all given by the trigger.
create table entries (
  transaction_id uuid not null,
  account_id bigint not null,
  currency text not null,
  amount bigint not null,
  type text default ''::text not null,
  user_id uuid,
  of_customer boolean generated always as (user_id is not null) stored not null,
  seq bigint,
  balance_after bigint,
  created_at timestamp with time zone default now() not null,
  is_vat boolean default false not null,
  gift bigint default 0 not null,
  is_gift boolean default false not null,
  constraint entries_pkey primary key (transaction_id, of_customer, is_vat, is_gift),
  constraint entries_account_id_currency_fkey foreign key (account_id, currency) references ledger_accounts(id, currency),
  constraint entries_transaction_id_fkey foreign key (transaction_id) references transactions(id),
  constraint entries_amount_check check (amount <> 0 and abs(amount) < '1000000000000000'::bigint),
  constraint entries_check check ((user_id is null) = (seq is null) and (seq is null) = (balance_after is null)),
  constraint gift_is_a_part check (gift = 0 or of_customer and sign(gift::double precision) = sign(amount::double precision) and abs(gift) <= abs(amount)),
  constraint gift_is_not_the_customers check (not (is_gift and (of_customer or is_vat))),
  constraint no_spending_in_debt check (balance_after >= 0 or amount > 0 or type = 'charge_back'::text),
  constraint vat_is_not_the_customers check (not (is_vat and of_customer))
);
create index entries_by_amount on entries (amount, transaction_id) where of_customer;
create index entries_by_moment on entries (created_at);
create index entries_by_time on entries (account_id, created_at, seq) where seq is not null;
create index entries_by_type on entries (account_id, type, seq) where seq is not null;
create unique index entries_in_order on entries (account_id, seq) where seq is not null;
create index entries_of_customers_by_moment on entries (created_at) include (currency, amount, balance_after) where user_id is not null;
create index entries_of_gifts on entries (created_at) include (currency, gift) where gift <> 0;
grant insert, select on entries to hostdesk_app;
alter table entries enable row level security;
alter table entries force row level security;
create policy deleted_by_owner on entries for delete using (actor_owns(user_id));
create policy inserted_by_owner on entries for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy inserted_for_the_operator on entries for insert with check (user_id is null);
create policy readable on entries for select using (true);
create policy updated_by_owner on entries for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));
create trigger entries_are_append_only before delete or update on entries for each row execute function refuse_change();
create trigger entries_are_booked before insert on entries for each row execute function book_entry();
create trigger entries_are_not_truncated before truncate on entries for each statement execute function refuse_change();
create constraint trigger sides_are_balanced after insert on entries deferrable initially deferred for each row when (not new.of_customer) execute function balance_sides();

-- The key leaves room for one side more, so that looking at heads is not enough: nothing joins a transaction that is booked
-- already, for one more side alone cannot come to nothing.
create function balance_sides()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
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

-- Books an entry: takes the customer's next number and keeps the balance, under the lock of its row. Runs as the owner,
-- so that the application needs no right to change a balance. What the caller wrote into these columns does not count.
create function book_entry()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
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

-- Payments and orders of people who have no account yet (docs/decisions/202).
create table guest_payments (
  public_id text not null,
  provider text not null,
  -- Minor units.
  amount bigint not null,
  currency text not null,
  locale text not null,
  -- The page to which the provider's page leads back.
  back text not null,
  redirect_url text,
  -- The event that said that it was paid, where no account has taken it yet.
  event_id text,
  created_at timestamp with time zone default now() not null,
  constraint guest_payments_pkey primary key (public_id),
  constraint guest_payments_amount_check check (amount > 0),
  constraint guest_payments_back_check check (back ~ '^/'::text and length(back) <= 200),
  constraint guest_payments_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint guest_payments_event_id_check check (length(event_id) >= 1 and length(event_id) <= 255),
  constraint guest_payments_locale_check check (locale = any (array['en'::text, 'de'::text, 'ru'::text])),
  constraint guest_payments_provider_check check (length(provider) >= 1 and length(provider) <= 40),
  constraint guest_payments_public_id_check check (public_id ~ '^[A-Za-z0-9_-]{22}$'::text),
  constraint guest_payments_redirect_url_check check (length(redirect_url) <= 4000)
);
create index guest_payments_by_age on guest_payments (created_at);
grant delete, insert, select on guest_payments to hostdesk_app;

-- What came to a merged account, or was taken from it, since its merge, and went on to the account that stays: so that it goes back with an undoing.
create table late_balances (
  id bigint generated always as identity not null,
  -- The account that was merged.
  user_id uuid not null,
  -- The bookings, by features/finance.
  moved jsonb not null,
  moved_at timestamp with time zone default clock_timestamp() not null,
  constraint late_balances_pkey primary key (id),
  constraint late_balances_user_id_fkey foreign key (user_id) references users(id)
);
create index late_balances_of on late_balances (user_id, id);
grant delete, insert, select on late_balances to hostdesk_app;
alter table late_balances enable row level security;
alter table late_balances force row level security;
create policy deleted_by_owner on late_balances for delete using (actor_owns(user_id));
create policy inserted_by_owner on late_balances for insert with check (actor_owns(user_id));
create policy readable on late_balances for select using (true);
create policy updated_by_owner on late_balances for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- One account for each customer and currency; of the operator's own one for each kind, currency and (for payments) provider.
create table ledger_accounts (
  id bigint generated always as identity not null,
  kind text not null,
  user_id uuid,
  currency text not null,
  name text default ''::text not null,
  constraint ledger_accounts_pkey primary key (id),
  constraint ledger_accounts_id_currency_key unique (id, currency),
  constraint ledger_accounts_user_id_fkey foreign key (user_id) references users(id),
  constraint ledger_accounts_check check ((kind = 'customer'::text) = (user_id is not null)),
  constraint ledger_accounts_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint ledger_accounts_kind_check check (kind = any (array['customer'::text, 'payments'::text, 'promotions'::text, 'revenue'::text, 'vat'::text])),
  constraint vat_account_of_a_country check (kind <> 'vat'::text or name ~ '^[A-Z]{2}$'::text)
);
create unique index account_of_customer on ledger_accounts (user_id, currency) where user_id is not null;
create unique index account_of_operator on ledger_accounts (kind, currency, name) where user_id is null;
grant insert, select on ledger_accounts to hostdesk_app;
alter table ledger_accounts enable row level security;
alter table ledger_accounts force row level security;
create policy deleted_by_owner on ledger_accounts for delete using (actor_owns(user_id));
create policy inserted_by_owner on ledger_accounts for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy inserted_for_the_operator on ledger_accounts for insert with check (user_id is null);
create policy readable on ledger_accounts for select using (true);
create policy updated_by_owner on ledger_accounts for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));
create trigger ledger_accounts_are_append_only before delete or update on ledger_accounts for each row execute function refuse_change();
create trigger ledger_accounts_are_not_truncated before truncate on ledger_accounts for each statement execute function refuse_change();

-- The sums of the ledger at the end of each month, which prove later that no old month has changed, and from which the balances of any
-- moment are a month away at most (docs/decisions/081).
create table ledger_closings (
  -- Its first day, in the operator's time zone.
  month date not null,
  -- The first moment of the next month.
  until timestamp with time zone not null,
  kind text not null,
  -- Of customers 'credit' or 'debt': those with a balance below zero are apart. Of others the name of the account.
  name text not null,
  currency text not null,
  -- Minor units, and how many entries: of all time until then.
  sum bigint not null,
  entries bigint not null,
  closed_at timestamp with time zone default now() not null,
  constraint ledger_closings_pkey primary key (month, kind, name, currency),
  constraint ledger_closings_check check (kind <> 'customer'::text or (name = any (array['credit'::text, 'debt'::text]))),
  constraint ledger_closings_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint ledger_closings_entries_check check (entries > 0),
  constraint ledger_closings_kind_check check (kind = any (array['customer'::text, 'payments'::text, 'promotions'::text, 'revenue'::text, 'vat'::text])),
  constraint ledger_closings_month_check check (extract(day from month) = 1::numeric)
);
grant insert, select on ledger_closings to hostdesk_app;
create trigger ledger_closings_are_append_only before delete or update on ledger_closings for each row execute function refuse_change();
create trigger ledger_closings_are_not_truncated before truncate on ledger_closings for each statement execute function refuse_change();

-- All transactions that an event posted: payment_events.transaction_id is the first.
create table payment_event_bookings (
  transaction_id uuid not null,
  provider text not null,
  event_id text not null,
  constraint payment_event_bookings_pkey primary key (transaction_id),
  constraint payment_event_bookings_provider_event_id_fkey foreign key (provider, event_id) references payment_events(provider, event_id),
  constraint payment_event_bookings_transaction_id_fkey foreign key (transaction_id) references transactions(id)
);
create index payment_event_bookings_of_event on payment_event_bookings (provider, event_id);
grant insert, select on payment_event_bookings to hostdesk_app;
create trigger payment_event_bookings_are_append_only before delete or update on payment_event_bookings for each row execute function refuse_change();
create trigger payment_event_bookings_are_not_truncated before truncate on payment_event_bookings for each statement execute function refuse_change();

-- The events that providers told, each once (rule 14). One that tells of a payment we do not know of yet waits for it. What is
-- posted is posted in the transaction that settles its event. No names, no cards: only what the books need.
create table payment_events (
  provider text not null,
  event_id text not null,
  -- In the order in which they came.
  place bigint generated always as identity not null,
  kind text not null,
  top_up_id bigint,
  payment_reference text,
  -- Null: all of it.
  amount bigint,
  currency text,
  reason text default ''::text not null,
  settled_at timestamp with time zone,
  transaction_id uuid,
  created_at timestamp with time zone default now() not null,
  -- The provider's own id of the dispute or refund that took the money, or gives it back; null for what has none.
  taken_by text,
  -- The country of the card or bank account that paid is evidence of a buyer's place (docs/decisions/147).
  paid_from text,
  -- True if the method that paid must not be charged by itself any more. A dispute may be told before its payment, and says so only once.
  stops_method boolean default false not null,
  constraint payment_events_pkey primary key (provider, event_id),
  constraint payment_events_place_key unique (place),
  constraint payment_events_transaction_id_key unique (transaction_id),
  constraint payment_events_top_up_id_fkey foreign key (top_up_id) references top_ups(id),
  constraint payment_events_transaction_id_fkey foreign key (transaction_id) references transactions(id),
  constraint payment_events_amount_check check (amount > 0),
  constraint payment_events_check check (transaction_id is null or settled_at is not null),
  constraint payment_events_event_id_check check (length(event_id) >= 1 and length(event_id) <= 255),
  constraint payment_events_kind_check check (kind = any (array['paid'::text, 'failed'::text, 'charged_back'::text, 'reinstated'::text])),
  constraint payment_events_paid_from_check check (paid_from ~ '^[A-Z]{2}$'::text)
);
create index events_of_top_up on payment_events (top_up_id);
create index events_that_wait on payment_events (provider, payment_reference) where top_up_id is null;
create unique index one_payment_of_top_up on payment_events (top_up_id) where kind = 'paid'::text and transaction_id is not null;
grant insert, select on payment_events to hostdesk_app;

-- The slot is one of the voucher's uses: one more cannot be inserted, whatever the code does. Nor a second of one customer.
create table redemptions (
  voucher_id bigint not null,
  slot integer not null,
  uses integer not null,
  user_id uuid not null,
  transaction_id uuid not null,
  constraint redemptions_pkey primary key (voucher_id, slot),
  constraint redemptions_transaction_id_key unique (transaction_id),
  constraint redemptions_voucher_id_user_id_key unique (voucher_id, user_id),
  constraint redemptions_transaction_id_fkey foreign key (transaction_id) references transactions(id),
  constraint redemptions_user_id_fkey foreign key (user_id) references users(id),
  constraint redemptions_voucher_id_uses_fkey foreign key (voucher_id, uses) references vouchers(id, uses),
  constraint redemptions_check check (slot >= 1 and slot <= uses)
);
create index redemptions_of_user on redemptions (user_id);
grant insert, select on redemptions to hostdesk_app;
alter table redemptions enable row level security;
alter table redemptions force row level security;
create policy deleted_by_owner on redemptions for delete using (actor_owns(user_id));
create policy inserted_by_owner on redemptions for insert with check (actor_owns(user_id));
create policy readable on redemptions for select using (true);
create policy updated_by_owner on redemptions for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger redemptions_are_append_only before delete or update on redemptions for each row execute function refuse_change();
create trigger redemptions_are_not_truncated before truncate on redemptions for each statement execute function refuse_change();

create table top_ups (
  id bigint generated always as identity not null,
  public_id text not null,
  user_id uuid not null,
  provider text not null,
  amount bigint not null,
  currency text not null,
  status text default 'pending'::text not null,
  -- The reference that the customer writes on a bank transfer.
  reference text,
  redirect_url text,
  -- The provider's own name for the payment, known once it was paid; disputes name it.
  payment_reference text,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  reminded_at timestamp with time zone,
  -- Orders, renewals and upgrades that wait for the money which the balance lacks (docs/decisions/187).
  for_checkout boolean default false not null,
  -- The method that is charged for a payment, and the provider's id of that charge. The method may be removed before its payment is disputed.
  method_id uuid,
  charge_reference text,
  constraint top_ups_pkey primary key (id),
  constraint top_ups_id_user_id_key unique (id, user_id),
  constraint top_ups_public_id_key unique (public_id),
  constraint top_ups_reference_key unique (reference),
  constraint top_ups_user_id_fkey foreign key (user_id) references users(id),
  constraint top_ups_amount_check check (amount > 0),
  constraint top_ups_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint top_ups_provider_check check (provider = any (array['test'::text, 'bank'::text, 'stripe'::text, 'mollie'::text])),
  constraint top_ups_public_id_check check (public_id ~ '^[A-Za-z0-9_-]{22}$'::text),
  constraint top_ups_status_check check (status = any (array['pending'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'cancelled'::text, 'charged_back'::text, 'corrected'::text]))
);
create index top_ups_by_payment on top_ups (provider, payment_reference);
create index top_ups_of_user on top_ups (user_id, id);
create index top_ups_pending on top_ups (created_at) where status = 'pending'::text;
grant insert, select on top_ups to hostdesk_app;
alter table top_ups enable row level security;
alter table top_ups force row level security;
create policy deleted_by_owner on top_ups for delete using (actor_owns(user_id));
create policy inserted_by_owner on top_ups for insert with check (actor_owns(user_id));
create policy readable on top_ups for select using (true);
create policy updated_by_owner on top_ups for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The document that tells of a transaction. Apart, because the ledger's own rows never change.
create table transaction_documents (
  transaction_id uuid not null,
  user_id uuid not null,
  invoice_id text not null,
  constraint transaction_documents_pkey primary key (transaction_id),
  constraint transaction_documents_invoice_id_key unique (invoice_id),
  constraint transaction_documents_transaction_id_fkey foreign key (transaction_id) references transactions(id),
  constraint transaction_documents_user_id_fkey foreign key (user_id) references users(id)
);
grant insert, select on transaction_documents to hostdesk_app;
alter table transaction_documents enable row level security;
alter table transaction_documents force row level security;
create policy deleted_by_owner on transaction_documents for delete using (actor_owns(user_id));
create policy inserted_by_owner on transaction_documents for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy readable on transaction_documents for select using (true);
create policy updated_by_owner on transaction_documents for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));
create trigger transaction_documents_are_append_only before delete or update on transaction_documents for each row execute function refuse_change();
create trigger transaction_documents_are_not_truncated before truncate on transaction_documents for each statement execute function refuse_change();

-- The types that may be booked (row F-01): which way each type moves the customer's account, which of the operator's
-- accounts stands against it, and which earlier transaction it takes back.
create table transaction_types (
  type text not null,
  sign smallint not null,
  counterpart text not null,
  reverses text,
  must_reverse boolean not null,
  constraint transaction_types_pkey primary key (type),
  constraint transaction_types_reverses_fkey foreign key (reverses) references transaction_types(type),
  constraint transaction_types_check check (reverses is not null or not must_reverse),
  constraint transaction_types_counterpart_check check (counterpart = any (array['payments'::text, 'promotions'::text, 'revenue'::text])),
  constraint transaction_types_sign_check check (sign = any (array['-1'::integer, 0, 1]))
);
grant select on transaction_types to hostdesk_app;
create trigger transaction_types_are_fixed before insert or delete or update on transaction_types for each row execute function refuse_change();
create trigger transaction_types_are_not_truncated before truncate on transaction_types for each statement execute function refuse_change();

create table transactions (
  id uuid not null,
  type text not null,
  user_id uuid not null,
  currency text not null,
  -- The public id of the host it was for.
  host_id text,
  description jsonb not null,
  reverses uuid,
  created_at timestamp with time zone default now() not null,
  -- The transaction whose VAT this one moves out of revenue, and the document (its public id) that says how much it is.
  splits uuid,
  splits_document text,
  constraint transactions_pkey primary key (id),
  constraint transactions_id_user_id_currency_key unique (id, user_id, currency),
  constraint splits_its_own foreign key (splits, user_id, currency) references transactions(id, user_id, currency),
  constraint transactions_reverses_user_id_currency_fkey foreign key (reverses, user_id, currency) references transactions(id, user_id, currency),
  constraint transactions_type_fkey foreign key (type) references transaction_types(type),
  constraint transactions_user_id_fkey foreign key (user_id) references users(id),
  constraint splits_a_document check ((type = 'vat_split'::text) = (splits is not null) and (splits is null) = (splits_document is null)),
  constraint transactions_currency_check check (currency ~ '^[A-Z]{3}$'::text)
);
create index transactions_by_time on transactions (created_at, id) where splits is null;
create index transactions_by_type on transactions (type, created_at, id) where splits is null;
create index transactions_reversing on transactions (reverses) where reverses is not null;
create unique index transactions_split_once on transactions (splits, splits_document) where splits is not null;
grant insert, select on transactions to hostdesk_app;
alter table transactions enable row level security;
alter table transactions force row level security;
create policy deleted_by_owner on transactions for delete using (actor_owns(user_id));
create policy inserted_by_owner on transactions for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy readable on transactions for select using (true);
create policy updated_by_owner on transactions for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));
create trigger transactions_are_append_only before delete or update on transactions for each row execute function refuse_change();
create constraint trigger transactions_are_balanced after insert on transactions deferrable initially deferred for each row execute function balance_transaction();
create trigger transactions_are_not_truncated before truncate on transactions for each statement execute function refuse_change();

-- A debt of an account that was merged into another one moves there: it is taken from that balance as it was taken from the other one, and
-- takes back no payment of that one.
create function balance_transaction()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
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
    if rule.must_reverse and not (new.type = 'charge_back' and new.description ->> 'code' = 'merge') then
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

create table unbooked_events (
  id uuid default gen_random_uuid() not null,
  -- In the order in which they came.
  place bigint generated always as identity not null,
  provider text not null,
  event_id text not null,
  -- The event that it tells of, and why it is not booked; features/finance/rules.ts has the words.
  kind text not null,
  cause text not null,
  user_id uuid,
  top_up_id bigint,
  payment_reference text,
  -- Minor units: what is not booked of the event; null where the sender does not say it.
  amount bigint,
  currency text,
  reason text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  -- A member of staff; null where it was booked by itself after all.
  done_by uuid,
  done_note text default ''::text not null,
  constraint unbooked_events_pkey primary key (id),
  constraint unbooked_events_place_key unique (place),
  constraint unbooked_events_provider_event_id_cause_key unique (provider, event_id, cause),
  constraint unbooked_events_done_by_fkey foreign key (done_by) references users(id) on delete set null,
  constraint unbooked_events_top_up_id_fkey foreign key (top_up_id) references top_ups(id),
  constraint unbooked_events_user_id_fkey foreign key (user_id) references users(id),
  constraint unbooked_events_amount_check check (amount > 0),
  constraint unbooked_events_cause_check check (cause ~ '^[a-z_]{1,40}$'::text),
  constraint unbooked_events_check check (done_at is not null or done_by is null and done_note = ''::text),
  constraint unbooked_events_event_id_check check (length(event_id) >= 1 and length(event_id) <= 255),
  constraint unbooked_events_kind_check check (kind ~ '^[a-z_]{1,40}$'::text)
);
create index unbooked_events_of_top_up on unbooked_events (top_up_id) where top_up_id is not null;
create index unbooked_events_of_user on unbooked_events (user_id) where user_id is not null;
create index unbooked_events_open on unbooked_events (place) where done_at is null;
grant insert, select on unbooked_events to hostdesk_app;
alter table unbooked_events enable row level security;
alter table unbooked_events force row level security;
create policy deleted_by_owner on unbooked_events for delete using (actor_owns(user_id));
create policy inserted_by_owner on unbooked_events for insert with check (actor_owns(user_id));
create policy readable on unbooked_events for select using (true);
create policy updated_by_owner on unbooked_events for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Codes are kept as a keyed hash: a dump of the database buys nothing.
create table vouchers (
  id bigint generated always as identity not null,
  code_hash bytea not null,
  amount bigint not null,
  currency text not null,
  uses integer not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  -- For staff, who see it instead of the code.
  note text default ''::text not null,
  -- A member of staff; null for the command line.
  made_by uuid,
  voided_at timestamp with time zone,
  voided_by uuid,
  void_reason text,
  constraint vouchers_pkey primary key (id),
  constraint vouchers_code_hash_key unique (code_hash),
  constraint vouchers_id_uses_key unique (id, uses),
  constraint vouchers_made_by_fkey foreign key (made_by) references users(id) on delete set null,
  constraint vouchers_voided_by_fkey foreign key (voided_by) references users(id) on delete set null,
  constraint void_has_a_reason check ((voided_at is null) = (void_reason is null)),
  constraint vouchers_amount_check check (amount > 0),
  constraint vouchers_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint vouchers_note_check check (length(note) <= 800),
  constraint vouchers_uses_check check (uses > 0),
  constraint vouchers_void_reason_check check (length(void_reason) >= 1 and length(void_reason) <= 800)
);
grant insert, select on vouchers to hostdesk_app;
create trigger keep_voucher before update on vouchers for each row execute function keep_voucher();

-- A voucher keeps its value, and is voided once.
create function keep_voucher()
 returns trigger
 language plpgsql
as $$
begin
  if (new.id, new.code_hash, new.amount, new.currency, new.uses, new.expires_at, new.created_at, new.note)
    is distinct from (old.id, old.code_hash, old.amount, old.currency, old.uses, old.expires_at, old.created_at, old.note)
    or (old.voided_at is not null and (new.voided_at, new.void_reason) is distinct from (old.voided_at, old.void_reason)) then
    raise exception 'a voucher is only voided, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- The facts of documents that the ledger has to know: each with the signs of the operator's side, as its VAT stands there.
create view ledger_documents with (security_invoker=true) as
 select id,
    public_id,
    transaction_id,
    user_id,
    currency,
    vat_country as country,
    issued_at,
        case kind
            when 'invoice'::text then vat
            else - vat
        end as vat,
        case kind
            when 'invoice'::text then total
            else - total
        end as total,
    kind,
    version,
        case kind
            when 'invoice'::text then gift
            else - gift
        end as gift
   from invoices i;
grant select on ledger_documents to hostdesk_app;

create view paid_ends with (security_invoker=true) as
 select id as host_id,
    public_id,
    paid_until,
    ( select max(p.ends_at) as max
           from paid_periods p
          where p.host_id = h.id and p.ends_at > p.starts_at) as periods_until
   from hosts h
  where deleted_at is null;
grant select on paid_ends to hostdesk_app;

-- As before, with what is not for time: a period and its extras are worth what their invoice says.
create view period_values with (security_invoker=true) as
 select p.id,
    p.host_id,
    p.plan,
    o.plan as ordered_plan,
    p.term,
    o.term as ordered_term,
    p.net + p.once_net as net,
        case
            when o.kind = 'trial'::text then 0::bigint
            when not (exists ( select
               from licence_orders s
              where s.transaction_id = o.transaction_id and s.host_id <> o.host_id)) then documented_net(coalesce(o.payer_id, o.user_id), o.transaction_id)
            else null::bigint
        end as documented_net
   from paid_periods p
     join licence_orders o on o.id = p.order_id;
grant select on period_values to hostdesk_app;

create view sale_values with (security_invoker=true) as
 select o.transaction_id,
    sum(p.net + p.once_net)::bigint as net,
    sum(o.total)::bigint as total,
    min(least(p.net, p.once_net)) as "least",
    documented_net((array_agg(coalesce(o.payer_id, o.user_id)))[1], o.transaction_id) as documented_net
   from paid_periods p
     join licence_orders o on o.id = p.order_id
  where o.transaction_id is not null
  group by o.transaction_id
 having count(*) > 1;
grant select on sale_values to hostdesk_app;

-- Locks all balances of an act by one statement, in the order of the accounts. One of them may be another account's, whose row the
-- transaction may not write yet, so this one step is the system's. It writes nothing.
create function lock_balances(customers uuid[], of_currency text)
 returns table(user_id uuid, balance bigint)
 language plpgsql
as $$
#variable_conflict use_column
declare
  actor text := current_setting('app.actor', true);
begin
  perform set_config('app.actor', 'system', true);
  return query select b.user_id, b.balance from balances b
    where b.user_id = any(customers) and b.currency = of_currency order by b.account_id for update;
  perform set_config('app.actor', coalesce(actor, ''), true);
end $$;
