-- A licence may go on with another plan at its end, which costs nothing before (docs/decisions/101). No row: with the plan that it ends with.
-- Owned by features/licences.
create table licence_settings (
  host_id bigint primary key references hosts,
  user_id uuid not null references users,
  renewal_plan text not null references plans,
  chosen_at timestamptz not null default clock_timestamp()
);
create index licence_settings_of_user on licence_settings (user_id);
create index licence_settings_by_plan on licence_settings (renewal_plan);
select allow_app('licence_settings', 'select, insert, update, delete');
select protect_rows('licence_settings', 'user_id');

create function renewal_of(host bigint) returns table (plan text, plan_name jsonb, term text) language sql stable as $$
  select p.slug, jsonb_build_object('en', p.name_en, 'de', p.name_de, 'ru', p.name_ru), p.term
  from licence_settings s join plans p on p.slug = s.renewal_plan
  where s.host_id = host
$$;

create or replace view due_renewals with (security_invoker = true) as
select h.id as host_id, h.user_id, p.ends_at, p.ends_at - interval '24 hours' as charged_at, o.vat_rate_bp,
  coalesce(b.balance, 0) as balance,
  least(w.announced_net, (
    select r.net from plan_prices r
    where r.plan = coalesce(s.renewal_plan, p.plan, o.plan) and r.renewals_from_at <= greatest(p.ends_at - interval '24 hours', now())
    order by r.id desc limit 1)) as net
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
join licence_orders o on o.id = p.order_id
left join licence_settings s on s.host_id = h.id
left join licence_watches w on w.host_id = h.id
left join balances b on b.user_id = h.user_id and b.currency = o.currency
where h.auto_renew and h.deleted_at is null;

create or replace view plan_renewals with (security_invoker = true) as
select coalesce(s.renewal_plan, p.plan, o.plan) as plan, h.id as host_id, h.user_id, p.ends_at, w.announced_net, h.public_id, h.name
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
join licence_orders o on o.id = p.order_id
left join licence_settings s on s.host_id = h.id
left join licence_watches w on w.host_id = h.id
where h.auto_renew and h.deleted_at is null;
