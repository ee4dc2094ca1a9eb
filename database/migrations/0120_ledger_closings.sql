-- What the ledger held at the end of each month, which proves later that no old month has changed, and from which the balances of any
-- moment are a month away at most (docs/decisions/087). Owned by features/finance.
create table ledger_closings (
  -- Its first day, in the operator's time zone.
  month date not null check (extract(day from month) = 1),
  -- The first moment of the next month.
  until timestamptz not null,
  kind text not null check (kind in ('customer', 'payments', 'promotions', 'revenue', 'vat')),
  -- Of customers 'credit' or 'debt': those with a balance below zero are apart. Of others the name of the account.
  name text not null check (kind <> 'customer' or name in ('credit', 'debt')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Minor units, and how many entries: of all time until then.
  sum bigint not null,
  entries bigint not null check (entries > 0),
  closed_at timestamptz not null default now(),
  primary key (month, kind, name, currency)
);
create trigger ledger_closings_are_append_only before delete or update on ledger_closings for each row execute function refuse_change();
create trigger ledger_closings_are_not_truncated before truncate on ledger_closings for each statement execute function refuse_change();
select allow_app('ledger_closings', 'select, insert');

-- What servers with automatic renewal will be charged next, and from which balance, from the tables of their owners. The rate of VAT is that
-- of the last order: the next one is decided when it comes.
create view due_renewals with (security_invoker = true) as
select h.id as host_id, h.user_id, p.ends_at, p.ends_at - interval '24 hours' as charged_at, o.vat_rate_bp, coalesce(b.balance, 0) as balance,
  least(w.announced_net, case when l.next_price_at <= greatest(p.ends_at - interval '24 hours', now()) then l.next_price_net else l.price_net end) as net
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
join licence_orders o on o.id = p.order_id
join plans l on l.slug = o.plan
left join licence_watches w on w.host_id = h.id
left join balances b on b.user_id = h.user_id and b.currency = o.currency
where h.auto_renew and h.deleted_at is null;
select allow_app('due_renewals', 'select');
