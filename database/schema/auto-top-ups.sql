-- The tables of features/auto-top-ups with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- One charge of a saved method that nobody asked for at that moment. It is a row before its provider is called, and has the id of its payment.
create table auto_top_up_runs (
  top_up_id bigint not null,
  public_id text not null,
  user_id uuid not null,
  method_id uuid not null,
  amount bigint not null,
  currency text not null,
  state text not null,
  -- The provider's code of a decline.
  reason text default ''::text not null,
  charge_at timestamp with time zone not null,
  -- The customer has to allow it until then.
  act_until timestamp with time zone,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  ended_at timestamp with time zone,
  -- The last time at which the provider of a run was asked for its charge; null until then, so that one which it never was asked for can be
  -- cancelled (decision 193).
  asked_at timestamp with time zone,
  constraint auto_top_up_runs_pkey primary key (top_up_id),
  constraint auto_top_up_runs_public_id_key unique (public_id),
  constraint auto_top_up_runs_top_up_id_user_id_fkey foreign key (top_up_id, user_id) references top_ups(id, user_id),
  constraint auto_top_up_runs_amount_check check (amount > 0),
  constraint auto_top_up_runs_check check ((state = any (array['announced'::text, 'charging'::text, 'under_way'::text, 'action_needed'::text])) = (ended_at is null)),
  constraint auto_top_up_runs_check1 check ((state = 'action_needed'::text) <= (act_until is not null)),
  constraint auto_top_up_runs_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint auto_top_up_runs_reason_check check (length(reason) <= 100),
  constraint auto_top_up_runs_state_check check (state = any (array['announced'::text, 'charging'::text, 'under_way'::text, 'action_needed'::text, 'paid'::text, 'returned'::text, 'declined'::text, 'expired'::text, 'cancelled'::text]))
);
create index auto_top_up_runs_of_user on auto_top_up_runs (user_id, top_up_id);
create unique index auto_top_up_runs_open on auto_top_up_runs (user_id) where ended_at is null;
create index auto_top_up_runs_waiting on auto_top_up_runs (charge_at) where ended_at is null;
grant delete, insert, select on auto_top_up_runs to hostdesk_app;
alter table auto_top_up_runs enable row level security;
alter table auto_top_up_runs force row level security;
create policy deleted_by_owner on auto_top_up_runs for delete using (actor_owns(user_id));
create policy inserted_by_owner on auto_top_up_runs for insert with check (actor_owns(user_id));
create policy readable on auto_top_up_runs for select using (true);
create policy updated_by_owner on auto_top_up_runs for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Balances that fill themselves from a saved payment method (docs/decisions/193).
create table auto_top_ups (
  user_id uuid not null,
  -- The method that is charged; it may be removed before this row.
  method_id uuid not null,
  -- Minor units: the most that one month may charge.
  month_limit bigint not null,
  -- `cover` charges what the next renewals lack, `threshold` a fixed amount when the balance is below a sum.
  kind text not null,
  threshold bigint,
  amount bigint,
  state text default 'active'::text not null,
  -- Why it is paused; of an active one, what holds a charge back that is due.
  reason text default ''::text not null,
  -- The declines in a row, after which it is tried again or paused.
  declines smallint default 0 not null,
  -- Another one with each choice of its customer.
  version integer not null,
  -- When the balance is looked at the next time.
  look_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  constraint auto_top_ups_pkey primary key (user_id),
  constraint auto_top_ups_user_id_fkey foreign key (user_id) references users(id),
  constraint auto_top_ups_amount_check check (amount > 0),
  constraint auto_top_ups_check check ((kind = 'threshold'::text) = (threshold is not null)),
  constraint auto_top_ups_check1 check ((threshold is null) = (amount is null)),
  constraint auto_top_ups_check2 check (state = 'active'::text or reason <> ''::text),
  constraint auto_top_ups_kind_check check (kind = any (array['cover'::text, 'threshold'::text])),
  constraint auto_top_ups_month_limit_check check (month_limit > 0),
  constraint auto_top_ups_reason_check check (length(reason) <= 40),
  constraint auto_top_ups_state_check check (state = any (array['active'::text, 'paused'::text])),
  constraint auto_top_ups_threshold_check check (threshold > 0)
);
create index auto_top_ups_of_method on auto_top_ups (method_id);
create index auto_top_ups_to_look_at on auto_top_ups (look_at) where state = 'active'::text;
grant delete, insert, select, update on auto_top_ups to hostdesk_app;
alter table auto_top_ups enable row level security;
alter table auto_top_ups force row level security;
create policy deleted_by_owner on auto_top_ups for delete using (actor_owns(user_id));
create policy inserted_by_owner on auto_top_ups for insert with check (actor_owns(user_id));
create policy readable on auto_top_ups for select using (true);
create policy updated_by_owner on auto_top_ups for update using (actor_owns(user_id)) with check (actor_owns(user_id));
