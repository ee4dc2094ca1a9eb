-- Editions, dated prices that are added and never changed, and paid periods that carry what they were bought as. Owned by
-- features/licences (docs/decisions/090 and 091).

create function in_three_languages(texts jsonb, most integer) returns boolean language sql immutable as $$
  select jsonb_typeof(texts) = 'object' and texts ?& array['en', 'de', 'ru']
    and (select bool_and(jsonb_typeof(value) = 'string' and length(value #>> '{}') <= most) from jsonb_each(texts))
$$;

create table editions (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 64),
  name jsonb not null check (in_three_languages(name, 100)),
  description jsonb not null default '{"en": "", "de": "", "ru": ""}' check (in_three_languages(description, 400)),
  -- Sentences in three languages, in the operator's order.
  features jsonb not null default '[]' check (jsonb_typeof(features) = 'array' and jsonb_array_length(features) <= 12),
  -- The higher one is more.
  rank integer not null default 0 check (rank between 0 and 9999),
  trial_days smallint not null default 0 check (trial_days between 0 and 60),
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now()
);
select allow_app('editions', 'select, insert, update');

create table edition_entitlements (
  edition text not null references editions,
  key text not null check (key ~ '^[a-z][a-z0-9_.]{0,62}$'),
  type text not null check (type in ('bool', 'int', 'text')),
  value jsonb not null,
  primary key (edition, key),
  check (case type
    when 'bool' then jsonb_typeof(value) = 'boolean'
    when 'int' then jsonb_typeof(value) = 'number' and value #>> '{}' ~ '^-?[0-9]{1,15}$'
    else jsonb_typeof(value) = 'string' and length(value #>> '{}') <= 200 end)
);
select allow_app('edition_entitlements', 'select, insert, update, delete');

alter table plans add column edition text references editions;

-- The price at a time is that of the newest row whose time has come. Renewals may keep the one before for longer.
create table plan_prices (
  id bigint generated always as identity primary key,
  plan text not null references plans,
  net bigint not null check (net > 0 and net <= 100000000000),
  from_at timestamptz not null,
  renewals_from_at timestamptz not null,
  created_at timestamptz not null default now(),
  check (renewals_from_at >= from_at)
);
create index prices_of_plan on plan_prices (plan, id);
create trigger plan_prices_are_append_only before update or delete on plan_prices
  for each row execute function refuse_change();
create trigger plan_prices_are_not_truncated before truncate on plan_prices
  for each statement execute function refuse_change();
select allow_app('plan_prices', 'select, insert');

-- A rise reaches renewals 30 days after it reaches orders: their owners hear of it in time.
create function guard_rise() returns trigger language plpgsql as $$
declare
  before bigint := (select net from plan_prices where plan = new.plan and renewals_from_at <= new.renewals_from_at order by id desc limit 1);
begin
  if new.net > before and new.renewals_from_at < new.from_at + interval '720 hours' then
    raise exception 'a rise of % reaches renewals too early', new.plan using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Existing plans become the first rows: a slug without its term is an edition, ranked by its price a month.
insert into editions (slug, name, rank)
select slug, name, (10 * row_number() over (order by monthly, slug))::int
from (
  select distinct on (slug) slug, name, monthly
  from (
    select regexp_replace(slug, '-(month|quarter|year)$', '') as slug,
      jsonb_build_object('en', name_en, 'de', name_de, 'ru', name_ru) as name,
      price_net / case term when 'P1M' then 1 when 'P3M' then 3 else 12 end as monthly, term
    from plans) as each
  order by slug, term = 'P1M' desc, monthly) as found;
update plans set edition = regexp_replace(slug, '-(month|quarter|year)$', '');
insert into plan_prices (plan, net, from_at, renewals_from_at)
select slug, price_net, created_at, created_at from plans order by sort, slug;
insert into plan_prices (plan, net, from_at, renewals_from_at)
select slug, next_price_net, next_price_at, next_price_at from plans where next_price_at is not null order by sort, slug;
create trigger guard_rise before insert on plan_prices for each row execute function guard_rise();

-- A plan has an edition and a price, whoever adds it: also the release before, which knows neither.
create function complete_plan() returns trigger language plpgsql as $$
begin
  if new.edition is null then
    new.edition := regexp_replace(new.slug, '-(month|quarter|year)$', '');
    insert into editions (slug, name, rank)
    select new.edition, jsonb_build_object('en', new.name_en, 'de', new.name_de, 'ru', new.name_ru),
      least(9999, 10 + coalesce((select max(rank) from editions), 0))
    on conflict do nothing;
  end if;
  return new;
end $$;
create trigger complete_plan before insert on plans for each row execute function complete_plan();

create function keep_price() returns trigger language plpgsql as $$
declare
  net bigint := case when tg_op = 'INSERT' or new.price_net <> old.price_net then new.price_net else new.next_price_net end;
  at timestamptz := case when tg_op = 'INSERT' or new.price_net <> old.price_net then now() else new.next_price_at end;
  before bigint := (select p.net from plan_prices p where p.plan = new.slug and p.renewals_from_at <= at order by p.id desc limit 1);
begin
  if net is not null then
    insert into plan_prices (plan, net, from_at, renewals_from_at)
    values (new.slug, net, at, at + case when net > before then interval '720 hours' else interval '0' end);
  end if;
  return null;
end $$;
create trigger keep_first_price after insert on plans for each row execute function keep_price();
-- contract: plans.price_net, next_price_net and next_price_at are written by the release before only, and read no more since 0.1.0.
create trigger keep_price after update on plans for each row
  when ((old.price_net, old.next_price_net, old.next_price_at) is distinct from (new.price_net, new.next_price_net, new.next_price_at))
  execute function keep_price();

alter table paid_periods
  -- Null in rows of before until `fill_periods` has been there.
  add column plan text,
  add column edition text,
  add column term text,
  -- The value of this period: the price that was paid for it before VAT, less refunds.
  add column net bigint,
  add column payer_id uuid,
  add column invoice_id text,
  add column transaction_id uuid,
  -- The entitlements of its edition when it was bought.
  add column entitlements jsonb,
  add column place smallint not null default 1,
  add column term_starts_at timestamptz;

-- The newest rise of a price that the customer was mailed about.
alter table licence_watches add column price_told bigint;

-- The value of a sale by its documents: all its invoices, of which a reissue makes several, less all their credit notes.
-- Null without an invoice.
create function documented_net(customer uuid, sale uuid) returns bigint language sql stable as $$
  select sum(i.net - coalesce((
    select sum(c.net) from invoices c where c.credit_note_of = i.id and c.user_id = i.user_id), 0))::bigint
  from invoices i where i.transaction_id = sale and i.user_id = customer and i.kind = 'invoice'
$$;

-- Fills periods that the release before wrote, as many as wanted; answers how many.
create function fill_periods(most integer) returns integer language sql as $$
  with found as (
    select id from paid_periods where plan is null order by id limit most for update skip locked),
  filled as (
    update paid_periods p set plan = o.plan, edition = l.edition, term = o.term, payer_id = o.user_id, invoice_id = o.invoice_id,
      transaction_id = o.transaction_id, term_starts_at = p.starts_at, entitlements = '{}',
      net = coalesce(documented_net(o.user_id, o.transaction_id), o.net)
    from licence_orders o join plans l on l.slug = o.plan
    where o.id = p.order_id and p.id in (select id from found) and p.plan is null
    returning p.id)
  select count(*)::int from filled
$$;

create function fill_period() returns trigger language plpgsql as $$
begin
  update paid_periods p set plan = o.plan, edition = l.edition, term = o.term, net = o.net, payer_id = o.user_id,
    invoice_id = o.invoice_id, transaction_id = o.transaction_id, term_starts_at = p.starts_at, entitlements = '{}'
  from licence_orders o join plans l on l.slug = o.plan
  where o.id = p.order_id and p.id = new.id and p.plan is null;
  return null;
end $$;
-- At the commit, as a statement that writes both does not show the order to its period.
create constraint trigger periods_of_the_release_before after insert on paid_periods deferrable initially deferred
  for each row when (new.plan is null) execute function fill_period();

-- The paid period of a host that runs at a time, or the last one before it where none does, and all that come after it, with what
-- each allows: what its edition allowed at the purchase, and what was added to it since. Without "security definer" and with one
-- statement it is written into the query that asks, so each host costs one look into paid_periods_of_host.
create function licence_at(host bigint, at timestamptz)
returns table (
  plan text, plan_name jsonb, edition text, term text, price bigint, net bigint, currency text, entitlements jsonb,
  ordered_at timestamptz, starts_at timestamptz, ends_at timestamptz)
language sql stable as $$
  select coalesce(p.plan, o.plan), o.plan_name, coalesce(p.edition, l.edition), coalesce(p.term, o.term), o.total,
    coalesce(p.net, o.net), o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = coalesce(p.edition, l.edition)), '{}')
      || coalesce(p.entitlements, '{}'),
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id join plans l on l.slug = o.plan
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$$;
-- contract: licence_from is asked no more since 0.1.0.

create or replace view due_renewals with (security_invoker = true) as
select h.id as host_id, h.user_id, p.ends_at, p.ends_at - interval '24 hours' as charged_at, o.vat_rate_bp,
  coalesce(b.balance, 0) as balance,
  least(w.announced_net, (
    select r.net from plan_prices r
    where r.plan = o.plan and r.renewals_from_at <= greatest(p.ends_at - interval '24 hours', now())
    order by r.id desc limit 1)) as net
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
join licence_orders o on o.id = p.order_id
left join licence_watches w on w.host_id = h.id
left join balances b on b.user_id = h.user_id and b.currency = o.currency
where h.auto_renew and h.deleted_at is null;

create or replace view plan_renewals with (security_invoker = true) as
select o.plan, h.id as host_id, h.user_id, p.ends_at, w.announced_net, h.public_id, h.name
from hosts h
join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
join licence_orders o on o.id = p.order_id
left join licence_watches w on w.host_id = h.id
where h.auto_renew and h.deleted_at is null;

-- Each period beside its order and its documents, for the check of the ledger.
create view period_values with (security_invoker = true) as
select p.id, p.host_id, p.plan, o.plan as ordered_plan, p.term, o.term as ordered_term, p.net,
  documented_net(o.user_id, o.transaction_id) as documented_net
from paid_periods p
join licence_orders o on o.id = p.order_id;
select allow_app('period_values', 'select');

create view paid_ends with (security_invoker = true) as
select h.id as host_id, h.public_id, h.paid_until,
  (select max(p.ends_at) from paid_periods p where p.host_id = h.id and p.ends_at > p.starts_at) as periods_until
from hosts h where h.deleted_at is null;
select allow_app('paid_ends', 'select');
