-- A transaction, and its invoice, may be of the licences of many servers (docs/decisions/108). Owned by features/licences.
alter table licence_orders add constraint licence_orders_transaction_id_host_id_key unique using index licence_orders_of_transaction;
alter table licence_orders drop constraint licence_orders_transaction_id_key;
alter table licence_orders drop constraint licence_orders_invoice_id_key;

-- A refund counts once, however many orders its charge has paid.
create or replace function spent_by_agreement(agreement uuid) returns bigint
language sql stable as $$
  with month as (select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as begins),
  paid as (select distinct transaction_id from licence_orders where agreement_id = agreement)
  select greatest(0, coalesce((
      select sum(o.total) from licence_orders o, month where o.agreement_id = agreement and o.ordered_at >= month.begins), 0)
    - coalesce((
      select sum(e.amount) from paid p join transactions t on t.reverses = p.transaction_id
        join entries e on e.transaction_id = t.id and e.of_customer, month
      where t.created_at >= month.begins), 0))::bigint
$$;

-- The documents of a charge for several servers are of all of them together: `sale_values` compares these.
create or replace view period_values with (security_invoker = true) as
select p.id, p.host_id, p.plan, o.plan as ordered_plan, p.term, o.term as ordered_term, p.net,
  case when not exists (
    select from licence_orders s where s.transaction_id = o.transaction_id and s.host_id <> o.host_id)
  then documented_net(coalesce(o.payer_id, o.user_id), o.transaction_id) end as documented_net
from paid_periods p
join licence_orders o on o.id = p.order_id;

create view sale_values with (security_invoker = true) as
select o.transaction_id, sum(p.net)::bigint as net, sum(o.total)::bigint as total, min(p.net) as least,
  documented_net((array_agg(coalesce(o.payer_id, o.user_id)))[1], o.transaction_id) as documented_net
from paid_periods p
join licence_orders o on o.id = p.order_id
group by o.transaction_id
having count(*) > 1;
select allow_app('sale_values', 'select');
