-- Orders, renewals and upgrades that wait for the money which the balance lacks (docs/decisions/187).
alter table top_ups add column for_checkout boolean not null default false;

create table checkouts (
  top_up_id bigint primary key,
  -- That of the payment.
  public_id text not null unique,
  user_id uuid not null,
  purpose text not null check (purpose in ('order', 'renewal', 'upgrade', 'top_up')),
  -- The fields of the order as they were sent, with the names of plan and server as they were shown.
  params jsonb not null,
  -- Minor units: the price as it was shown, of which the balance lacked a part.
  total bigint not null check (total > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  state text not null default 'open' check (state in ('open', 'done', 'failed', 'expired', 'cancelled')),
  -- The error code by which it was refused when the money had come.
  refusal text check (length(refusal) >= 1 and length(refusal) <= 60),
  -- The public id of the server that it is about; null until an order has made it.
  host text,
  -- The helper who began it; null for the owner. A token is no user.
  person_id uuid,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'open') = (ended_at is null)),
  foreign key (top_up_id, user_id) references top_ups (id, user_id)
);
create index checkouts_of_user on checkouts (user_id, top_up_id);
create index checkouts_open on checkouts (expires_at) where state = 'open';
create index checkouts_ended on checkouts (ended_at) where ended_at is not null;
select allow_app('checkouts', 'select, insert, update (state, refusal, host, ended_at), delete');
select protect_rows('checkouts', 'user_id');
