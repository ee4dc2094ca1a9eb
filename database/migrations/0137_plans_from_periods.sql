-- The plan of a server at a time is that of its paid period, for announcements, renewals and staff's figures too (docs/decisions/091):
-- an order tells only what was bought once. Owned by features/licences; announcement_hosts by features/announcements.

create or replace view announcement_hosts with (security_invoker = true) as
select h.user_id, h.ipv4, (
  select l.plan from licence_at(h.id, now()) l where l.starts_at <= now() and l.ends_at > now()) as plan
from hosts h
where h.deleted_at is null;

create or replace view due_renewals with (security_invoker = true) as
select h.id as host_id, h.user_id, p.ends_at, p.ends_at - interval '24 hours' as charged_at, o.vat_rate_bp,
  coalesce(b.balance, 0) as balance,
  least(w.announced_net, (
    select r.net from plan_prices r
    where r.plan = coalesce(p.plan, o.plan) and r.renewals_from_at <= greatest(p.ends_at - interval '24 hours', now())
    order by r.id desc limit 1)) as net
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
join licence_orders o on o.id = p.order_id
left join licence_watches w on w.host_id = h.id
left join balances b on b.user_id = h.user_id and b.currency = o.currency
where h.auto_renew and h.deleted_at is null;

-- The order's plan counts where `fill_periods` has not been yet.
create or replace view plan_renewals with (security_invoker = true) as
select coalesce(p.plan, o.plan) as plan, h.id as host_id, h.user_id, p.ends_at, w.announced_net, h.public_id, h.name
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
join licence_orders o on o.id = p.order_id
left join licence_watches w on w.host_id = h.id
where h.auto_renew and h.deleted_at is null;
