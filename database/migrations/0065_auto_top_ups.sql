-- Balances that fill themselves from a saved payment method (docs/decisions/193).
create table auto_top_ups (
  user_id uuid primary key references users,
  -- The method that is charged; it may be removed before this row.
  method_id uuid not null,
  -- Minor units: the most that one month may charge.
  month_limit bigint not null check (month_limit > 0),
  -- `cover` charges what the next renewals lack, `threshold` a fixed amount when the balance is below a sum.
  kind text not null check (kind in ('cover', 'threshold')),
  threshold bigint check (threshold > 0),
  amount bigint check (amount > 0),
  state text not null default 'active' check (state in ('active', 'paused')),
  -- Why it is paused; of an active one, what holds a charge back that is due.
  reason text not null default '' check (length(reason) <= 40),
  -- The declines in a row, after which it is tried again or paused.
  declines smallint not null default 0,
  -- Another one with each choice of its customer.
  version int not null,
  -- When the balance is looked at the next time.
  look_at timestamptz not null default now(),
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  check ((kind = 'threshold') = (threshold is not null)),
  check ((threshold is null) = (amount is null)),
  check (state = 'active' or reason <> '')
);
create index auto_top_ups_to_look_at on auto_top_ups (look_at) where state = 'active';
create index auto_top_ups_of_method on auto_top_ups (method_id);
select allow_app('auto_top_ups', 'select, insert, update, delete');
select protect_rows('auto_top_ups', 'user_id');

-- One charge of a saved method that nobody asked for at that moment. It is a row before its provider is called, and has the id of its payment.
create table auto_top_up_runs (
  top_up_id bigint primary key,
  public_id text not null unique,
  user_id uuid not null,
  method_id uuid not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  state text not null check (state in ('announced', 'charging', 'under_way', 'action_needed', 'paid', 'returned', 'declined', 'expired', 'cancelled')),
  -- The provider's code of a decline.
  reason text not null default '' check (length(reason) <= 100),
  charge_at timestamptz not null,
  -- The customer has to allow it until then.
  act_until timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  ended_at timestamptz,
  check ((state in ('announced', 'charging', 'under_way', 'action_needed')) = (ended_at is null)),
  check ((state = 'action_needed') <= (act_until is not null)),
  foreign key (top_up_id, user_id) references top_ups (id, user_id)
);
create index auto_top_up_runs_of_user on auto_top_up_runs (user_id, top_up_id);
create unique index auto_top_up_runs_open on auto_top_up_runs (user_id) where ended_at is null;
create index auto_top_up_runs_waiting on auto_top_up_runs (charge_at) where ended_at is null;
select allow_app('auto_top_up_runs', 'select, insert, update (state, reason, act_until, ended_at), delete');
select protect_rows('auto_top_up_runs', 'user_id');
