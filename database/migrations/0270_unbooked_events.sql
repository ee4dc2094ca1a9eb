-- Reports of money from outside and cannot be booked stays on a list that staff work through; and the ledger knows what took money,
-- so that only this gives it back (docs/decisions/149). Owned by features/finance.

alter table payment_events
  -- The provider's own id of the dispute or refund that took the money, or gives it back; null for what has none.
  add column taken_by text;
-- Events of before name nothing; what they took may be returned by a dispute or refund that is not known otherwise.
update payment_events set taken_by = '?' where provider = 'stripe' and kind = 'charged_back' and event_id not like 'staff:%';

-- All transactions that an event posted: payment_events.transaction_id is the first.
create table payment_event_bookings (
  transaction_id uuid primary key references transactions,
  provider text not null,
  event_id text not null,
  foreign key (provider, event_id) references payment_events
);
create index payment_event_bookings_of_event on payment_event_bookings (provider, event_id);
create trigger payment_event_bookings_are_append_only before update or delete on payment_event_bookings
  for each row execute function refuse_change();
create trigger payment_event_bookings_are_not_truncated before truncate on payment_event_bookings
  for each statement execute function refuse_change();
select allow_app('payment_event_bookings', 'select, insert');
insert into payment_event_bookings (transaction_id, provider, event_id)
  select transaction_id, provider, event_id from payment_events where transaction_id is not null;

create table unbooked_events (
  id uuid primary key default gen_random_uuid(),
  -- In the order in which they came.
  place bigint generated always as identity unique,
  provider text not null,
  event_id text not null check (length(event_id) between 1 and 255),
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
  -- A repeated event is one line.
  unique (provider, event_id, cause)
);
create index unbooked_events_open on unbooked_events (place) where done_at is null;
create index unbooked_events_of_user on unbooked_events (user_id) where user_id is not null;
create index unbooked_events_of_top_up on unbooked_events (top_up_id) where top_up_id is not null;
select allow_app('unbooked_events', 'select, insert, update (done_at, done_by, done_note)');
select protect_rows('unbooked_events', 'user_id');
