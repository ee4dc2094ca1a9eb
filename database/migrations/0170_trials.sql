-- An edition may be tried for some days: an order without money, once for a customer and edition, and once for an address
-- (docs/decisions/112). Owned by features/licences.
alter table licence_orders
  alter column transaction_id drop not null,
  alter column invoice_id drop not null,
  drop constraint licence_orders_kind_check,
  add constraint licence_orders_kind_check check (kind in ('order', 'renewal', 'auto_renewal', 'upgrade', 'trial')) not valid,
  drop constraint licence_orders_net_check,
  add constraint only_a_trial_costs_nothing check (case kind
    when 'trial' then net = 0 and vat = 0 and transaction_id is null and invoice_id is null and payer_id is null
    else net > 0 and transaction_id is not null and invoice_id is not null end) not valid;

create table trials (
  user_id uuid not null references users,
  edition text not null references editions,
  order_id uuid not null references licence_orders deferrable initially deferred,
  host_id bigint not null references hosts,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  primary key (user_id, edition)
);
create index trials_of_host on trials (host_id);
create index trials_by_order on trials (order_id);
select allow_app('trials', 'select, insert');
select protect_rows('trials', 'user_id');

-- The address on which a trial ran: an IPv4 address, or the network of an IPv6 address.
create table trial_addresses (
  address inet primary key check (masklen(address) = case family(address) when 4 then 32 else 64 end),
  host_id bigint not null references hosts,
  user_id uuid not null references users
);
create index trial_addresses_of_user on trial_addresses (user_id);
create index trial_addresses_of_host on trial_addresses (host_id);
select allow_app('trial_addresses', 'select, insert');
select protect_rows('trial_addresses', 'user_id');

-- A trial is worth nothing, and is of no sale.
create or replace view period_values with (security_invoker = true) as
select p.id, p.host_id, p.plan, o.plan as ordered_plan, p.term, o.term as ordered_term, p.net,
  case when o.kind = 'trial' then 0
    when not exists (select from licence_orders s where s.transaction_id = o.transaction_id and s.host_id <> o.host_id)
  then documented_net(coalesce(o.payer_id, o.user_id), o.transaction_id) end as documented_net
from paid_periods p
join licence_orders o on o.id = p.order_id;

create or replace view sale_values with (security_invoker = true) as
select o.transaction_id, sum(p.net)::bigint as net, sum(o.total)::bigint as total, min(p.net) as least,
  documented_net((array_agg(coalesce(o.payer_id, o.user_id)))[1], o.transaction_id) as documented_net
from paid_periods p
join licence_orders o on o.id = p.order_id
where o.transaction_id is not null
group by o.transaction_id
having count(*) > 1;
