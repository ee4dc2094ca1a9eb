-- The plan at a time is the plan of the paid period at that time (decision 031). The copies of the last order on the host
-- said otherwise as soon as another plan was bought for later, so they go; licence_from is what all readers ask.

-- The paid period of a host that runs at a time, or the last one before it where none does, and all that come after it.
-- Periods that a refund or a deletion shrank to nothing do not count. Without "security definer" and with one statement
-- it is written into the query that asks, so that each host costs one look into paid_periods_of_host.
create function licence_from(host bigint, at timestamptz)
returns table (
  plan text, plan_name jsonb, term text, price bigint, currency text, ordered_at timestamptz,
  starts_at timestamptz, ends_at timestamptz)
language sql stable as $$
  select o.plan, o.plan_name, o.term, o.total, o.currency, o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$$;

alter table hosts
  drop column plan, drop column plan_name, drop column price, drop column currency, drop column term,
  drop column ordered_at;

alter table licence_watches
  -- When another plan begins that was bought already: pages and agents hear of it then.
  add column plan_changes_at timestamptz,
  -- The net price that the mails before this end have named; the automatic renewal charges no more (rule 46).
  add column announced_net bigint check (announced_net > 0);

update licence_watches w
set plan_changes_at = c.starts_at, next_at = least(w.next_at, c.starts_at)
from (
  select w.host_id, min(l.starts_at) as starts_at
  from licence_watches w
    cross join lateral (select plan from licence_from(w.host_id, now()) order by starts_at limit 1) present
    join lateral licence_from(w.host_id, now()) l on l.plan <> present.plan
  group by w.host_id) c
where c.host_id = w.host_id;
