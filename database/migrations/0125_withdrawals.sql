-- Orders that consumers withdrew from within 14 days (docs/decisions/080), and the refunds that followed. Owned by features/legal.
-- Both are evidence: rows are added and never changed.
create table withdrawals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- Withdrawn from once.
  order_id uuid not null unique references licence_orders,
  -- The payment of the order.
  transaction_id uuid not null,
  declared_at timestamptz not null,
  -- Of the payment, for the time that was not used; in minor units.
  proposed_refund bigint not null check (proposed_refund >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$')
);
create index withdrawals_by_time on withdrawals (declared_at, id);
create index withdrawals_of_user on withdrawals (user_id);
create index withdrawals_of_transaction on withdrawals (transaction_id);
create trigger withdrawals_are_append_only before update or delete on withdrawals
  for each row execute function refuse_change_of_accounts();
create trigger withdrawals_are_not_truncated before truncate on withdrawals
  for each statement execute function refuse_change();
select allow_app('withdrawals', 'select, insert');
select protect_rows('withdrawals', 'user_id');

create table withdrawal_refunds (
  withdrawal_id uuid primary key references withdrawals on delete cascade,
  user_id uuid not null references users on delete cascade,
  refund_transaction_id uuid not null,
  at timestamptz not null default clock_timestamp()
);
create index withdrawal_refunds_of_user on withdrawal_refunds (user_id);
create trigger withdrawal_refunds_are_append_only before update or delete on withdrawal_refunds
  for each row execute function refuse_change_of_accounts();
create trigger withdrawal_refunds_are_not_truncated before truncate on withdrawal_refunds
  for each statement execute function refuse_change();
select allow_app('withdrawal_refunds', 'select, insert');
select protect_rows('withdrawal_refunds', 'user_id');
