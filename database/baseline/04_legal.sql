create table acceptances (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  document text not null check (document in ('terms', 'begin_now')),
  -- The operator's name for the terms; for a beginning at once, the page that was shown about it.
  version text not null check (length(version) >= 1 and length(version) <= 2000),
  context text not null check (context in ('sign_up', 'order', 'prompt')),
  order_id uuid,
  at timestamptz not null default clock_timestamp(),
  check (document <> 'begin_now' or order_id is not null)
);
create unique index acceptances_of_orders on acceptances (order_id) where document = 'begin_now';
create unique index acceptances_of_terms on acceptances (user_id, version) where document = 'terms';
create index acceptances_of_user on acceptances (user_id, at);
select allow_app('acceptances', 'select, insert');
select protect_rows('acceptances', 'user_id');

-- An account that nobody ever used is removed with its rows; of any other the evidence stays.
create function refuse_change_of_accounts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from users where id = old.user_id) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger acceptances_are_append_only before delete or update on acceptances
  for each row execute function refuse_change_of_accounts();

create trigger acceptances_are_not_truncated before truncate on acceptances for each statement execute function refuse_change();

-- Orders that consumers withdrew from within 14 days (docs/decisions/080), and the refunds that followed.
-- Both are evidence: rows are added and never changed.
create table withdrawals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- Withdrawn from once.
  order_id uuid not null unique,
  -- The payment of the order.
  transaction_id uuid not null,
  declared_at timestamptz not null,
  -- The part of the payment for the time that was not used, in minor units.
  proposed_refund bigint not null check (proposed_refund >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$')
);
create index withdrawals_by_time on withdrawals (declared_at, id);
create index withdrawals_of_transaction on withdrawals (transaction_id);
create index withdrawals_of_user on withdrawals (user_id);
select allow_app('withdrawals', 'select, insert');
select protect_rows('withdrawals', 'user_id');

create trigger withdrawals_are_append_only before delete or update on withdrawals
  for each row execute function refuse_change_of_accounts();

create trigger withdrawals_are_not_truncated before truncate on withdrawals for each statement execute function refuse_change();

create table withdrawal_refunds (
  withdrawal_id uuid primary key references withdrawals on delete cascade,
  user_id uuid not null references users on delete cascade,
  refund_transaction_id uuid not null,
  at timestamptz not null default clock_timestamp()
);
create index withdrawal_refunds_of_user on withdrawal_refunds (user_id);
select allow_app('withdrawal_refunds', 'select, insert');
select protect_rows('withdrawal_refunds', 'user_id');

create trigger withdrawal_refunds_are_append_only before delete or update on withdrawal_refunds
  for each row execute function refuse_change_of_accounts();

create trigger withdrawal_refunds_are_not_truncated before truncate on withdrawal_refunds
  for each statement execute function refuse_change();
