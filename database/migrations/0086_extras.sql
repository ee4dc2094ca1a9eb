-- Extras of editions: a fee of the first order, add-ons by quantity, and one-offs (docs/decisions/207).
create table extras (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 64),
  edition text not null references editions,
  kind text not null check (kind in ('setup', 'addon', 'once')),
  name jsonb not null check (in_three_languages(name, 100)),
  -- Before VAT, in minor units: of an add-on for a month, of the others once.
  net bigint not null check (net > 0),
  -- The most of one order.
  most integer not null check (most between 1 and 999),
  is_active boolean not null default true,
  sort integer not null default 0 check (sort between 0 and 9999),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint a_fee_is_one check (kind <> 'setup' or most = 1)
);
create index extras_of_edition on extras (edition);
select allow_app('extras', 'select, insert, update');

-- The extras of an order, at the prices for which they were agreed: the next renewal reads its add-ons here.
alter table licence_orders add column extras jsonb check (jsonb_typeof(extras) = 'array');

-- The part of a period's price that is not for its time, less refunds: fees and one-offs. `net` is without it.
alter table paid_periods add column once_net bigint not null default 0 check (once_net >= 0);

-- Add-ons chosen for the end of a licence, which cost nothing before. No row: those that it ends with.
create table chosen_extras (
  host_id bigint primary key references hosts,
  user_id uuid not null references users,
  extras jsonb not null check (jsonb_typeof(extras) = 'array'),
  chosen_at timestamptz not null default clock_timestamp()
);
create index chosen_extras_of_user on chosen_extras (user_id);
select allow_app('chosen_extras', 'select, insert, update, delete');
select protect_rows('chosen_extras', 'user_id');

create function extras_at_end(host bigint) returns jsonb language sql stable as $$
  select extras from chosen_extras where host_id = host
$$;

-- As paid_times, with the extras of the order, for the owner who ordered.
create function paid_terms(host bigint, at timestamptz)
  returns table(plan text, plan_name jsonb, edition text, term text, price bigint, currency text, entitlements jsonb, is_trial boolean, promo jsonb, extras jsonb, ordered_at timestamptz, starts_at timestamptz, ends_at timestamptz)
  language sql stable as $$
  select p.plan, o.plan_name, p.edition, p.term, case when o.user_id = p.user_id or o.kind = 'trial' then o.total end, o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = p.edition), '{}') || p.entitlements,
    o.kind = 'trial', case when o.user_id = p.user_id and p.ended is distinct from 'refunded' then o.promo end,
    case when o.user_id = p.user_id and p.ended is distinct from 'refunded' then o.extras end,
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$$;

-- As before, with what is not for time: a period and its extras are worth what their invoice says.
create or replace view period_values with (security_invoker) as
select p.id, p.host_id, p.plan, o.plan as ordered_plan, p.term, o.term as ordered_term, p.net + p.once_net as net,
  case when o.kind = 'trial' then 0
    when not exists (select from licence_orders s where s.transaction_id = o.transaction_id and s.host_id <> o.host_id)
      then documented_net(coalesce(o.payer_id, o.user_id), o.transaction_id) end as documented_net
from paid_periods p join licence_orders o on o.id = p.order_id;
create or replace view sale_values with (security_invoker) as
select o.transaction_id, sum(p.net + p.once_net)::bigint as net, sum(o.total)::bigint as total, min(least(p.net, p.once_net)) as "least",
  documented_net((array_agg(coalesce(o.payer_id, o.user_id)))[1], o.transaction_id) as documented_net
from paid_periods p join licence_orders o on o.id = p.order_id
where o.transaction_id is not null
group by o.transaction_id having count(*) > 1;
