-- Balances below zero after a charge-back: mails, and then the suspension of the servers that the account paid for
-- (docs/decisions/093). Owned by features/licences.
create table debts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  began_at timestamptz not null default clock_timestamp(),
  -- As the first mail says it; null: never.
  suspend_after_days smallint check (suspend_after_days between 1 and 90),
  -- The last step that was taken, by its day, and when; null before the first.
  done_day smallint,
  last_step_at timestamptz,
  -- When the next one is due; null: none is left.
  next_at timestamptz,
  -- The balance is zero or more again.
  settled_at timestamptz check (settled_at >= began_at)
);
create unique index open_debt_of_user on debts (user_id) where settled_at is null;
create index debts_of_user on debts (user_id, began_at);
create index debts_due on debts (next_at) where settled_at is null;
select allow_app('debts', 'select, insert, update');
select protect_rows('debts', 'user_id');

-- Set where the system suspended for a debt: these suspensions end with it. Null: a person suspended.
alter table suspensions add column debt_id uuid references debts;
