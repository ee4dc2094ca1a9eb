-- Promo codes: they lower the price of a licence before VAT (docs/decisions/197).
create table promo_codes (
  id bigint generated always as identity primary key,
  -- As it is advertised: no secret, unlike a voucher's, but not to be guessed either.
  code text not null unique check (code ~ '^[A-Z0-9][A-Z0-9-]{2,31}$'),
  percent smallint check (percent >= 1 and percent <= 100),
  -- Minor units of `currency`, off one order before VAT.
  amount bigint check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Null: each edition.
  editions text[] check (cardinality(editions) > 0),
  first_order_only boolean not null,
  -- The renewals after the order for which it goes on to hold.
  renewals smallint not null check (renewals >= 0 and renewals <= 120),
  uses integer not null check (uses > 0),
  expires_at timestamptz,
  note text not null default '' check (length(note) <= 800),
  created_at timestamptz not null default now(),
  -- A member of staff; null for the command line.
  made_by uuid references users on delete set null,
  ended_at timestamptz,
  ended_by uuid references users on delete set null,
  constraint percent_or_amount check (num_nonnulls(percent, amount) = 1),
  unique (id, uses)
);
select allow_app('promo_codes', 'select, insert, update (ended_at, ended_by)');

-- A code was promised to those who have it, with all that it lowers: it is only ended, once.
create function keep_promo_code() returns trigger language plpgsql as $$
begin
  if (new.id, new.code, new.percent, new.amount, new.currency, new.editions, new.first_order_only, new.renewals, new.uses, new.expires_at, new.created_at, new.note)
    is distinct from (old.id, old.code, old.percent, old.amount, old.currency, old.editions, old.first_order_only, old.renewals, old.uses, old.expires_at, old.created_at, old.note)
    or (old.ended_at is not null and new.ended_at is distinct from old.ended_at) then
    raise exception 'a promo code is only ended, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_promo_code before update on promo_codes for each row execute function keep_promo_code();

-- The slot is one of the code's uses: one more cannot be inserted, whatever the code does. Nor a second of one account.
create table promo_uses (
  promo_id bigint not null,
  slot integer not null,
  uses integer not null,
  user_id uuid not null references users,
  used_at timestamptz not null default now(),
  check (slot >= 1 and slot <= uses),
  foreign key (promo_id, uses) references promo_codes (id, uses),
  primary key (promo_id, slot),
  unique (promo_id, user_id)
);
create index promo_uses_of_user on promo_uses (user_id);
select allow_app('promo_uses', 'select, insert');
select protect_rows('promo_uses', 'user_id');
select append_only('promo_uses');

-- The code that has lowered an order, with the renewals for which it holds after it: the next one reads it here.
alter table licence_orders add column promo jsonb check (jsonb_typeof(promo) = 'object'),
  drop constraint only_a_trial_costs_nothing,
  -- A code may lower an order to nothing: such an order has no charge and no invoice, as a trial has none.
  add constraint only_a_trial_or_a_promo_code_costs_nothing check (
    case when transaction_id is null
      then net = 0 and vat = 0 and invoice_id is null and payer_id is null and (kind = 'trial' or promo is not null)
      else kind <> 'trial' and invoice_id is not null and (net > 0 or (net = 0 and promo is not null)) end) not valid;

-- The amount that a promo code takes off a line of an invoice: `price` is without it. `reduction` is a code and its parameters, as a description is.
alter table invoice_lines add column allowance bigint not null default 0 check (allowance >= 0),
  add column reduction jsonb,
  drop constraint invoice_lines_check,
  add constraint price_of_line check (price = quantity * cost - allowance and price >= 0) not valid,
  add constraint reduction_has_a_reason check ((reduction is null) = (allowance = 0)) not valid;

-- As licence_at, with the kind of the order and the code that lowered it, for the owner who ordered.
create function paid_times(host bigint, at timestamptz)
  returns table(plan text, plan_name jsonb, edition text, term text, price bigint, currency text, entitlements jsonb, is_trial boolean, promo jsonb, ordered_at timestamptz, starts_at timestamptz, ends_at timestamptz)
  language sql stable as $$
  select p.plan, o.plan_name, p.edition, p.term, case when o.user_id = p.user_id or o.kind = 'trial' then o.total end, o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = p.edition), '{}') || p.entitlements,
    o.kind = 'trial', case when o.user_id = p.user_id and p.ended is distinct from 'refunded' then o.promo end,
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$$;
