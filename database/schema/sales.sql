-- The tables of features/sales with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

create table checkouts (
  top_up_id bigint not null,
  -- That of the payment.
  public_id text not null,
  user_id uuid not null,
  purpose text not null,
  -- The fields of the order as they were sent, with the names of plan and server as they were shown.
  params jsonb not null,
  -- Minor units: the price as it was shown, of which the balance lacked a part.
  total bigint not null,
  currency text not null,
  state text default 'open'::text not null,
  -- The error code by which it was refused when the money had come.
  refusal text,
  -- The public id of the server that it is about; null until an order has made it.
  host text,
  -- The helper who began it; null for the owner. A token is no user.
  person_id uuid,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  -- The amount that the charge of a saved method counts against a helper's limits until its order counts, and the grants that it counts against
  -- (decision 231); null where it counts nothing. Minor units.
  counted bigint,
  counted_grants uuid[],
  constraint checkouts_pkey primary key (top_up_id),
  constraint checkouts_public_id_key unique (public_id),
  constraint checkouts_top_up_id_user_id_fkey foreign key (top_up_id, user_id) references top_ups(id, user_id),
  constraint checkouts_check check ((state = 'open'::text) = (ended_at is null)),
  constraint checkouts_counted check ((counted is null) = (counted_grants is null)),
  constraint checkouts_counted_check check (counted > 0),
  constraint checkouts_counted_grants_check check (cardinality(counted_grants) > 0),
  constraint checkouts_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint checkouts_purpose_check check (purpose = any (array['order'::text, 'renewal'::text, 'upgrade'::text, 'top_up'::text, 'bulk'::text])),
  constraint checkouts_refusal_check check (length(refusal) >= 1 and length(refusal) <= 60),
  constraint checkouts_state_check check (state = any (array['open'::text, 'done'::text, 'failed'::text, 'expired'::text, 'cancelled'::text])),
  constraint checkouts_total_check check (total > 0)
);
create index checkouts_ended on checkouts (ended_at) where ended_at is not null;
create index checkouts_of_user on checkouts (user_id, top_up_id);
create index checkouts_open on checkouts (expires_at) where state = 'open'::text;
grant delete, insert, select on checkouts to hostdesk_app;
alter table checkouts enable row level security;
alter table checkouts force row level security;
create policy deleted_by_owner on checkouts for delete using (actor_owns(user_id));
create policy inserted_by_owner on checkouts for insert with check (actor_owns(user_id));
create policy readable on checkouts for select using (true);
create policy updated_by_owner on checkouts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
