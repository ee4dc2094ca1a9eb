-- The tables of features/licences with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- The machines on which a licence runs (docs/decisions/136).
create table activations (
  id uuid default gen_random_uuid() not null,
  host_id bigint not null,
  user_id uuid not null,
  -- Of a machine that has no id of its own: null, and one machine.
  fingerprint text,
  hostname text,
  address inet not null,
  first_seen timestamp with time zone default clock_timestamp() not null,
  -- To the hour.
  last_seen timestamp with time zone default clock_timestamp() not null,
  released_at timestamp with time zone,
  released_by text,
  -- When its owner was told that it is one too many.
  mailed_at timestamp with time zone,
  -- A release that staff have set back counts no longer among the three of its owner in 30 days.
  forgiven_at timestamp with time zone,
  -- A digest of the present boot; null while none was reported.
  boot text,
  -- Boots that another one has followed, the last ones.
  past_boots text[] default '{}'::text[] not null,
  -- The fingerprint that the machine reports, if another machine reports it too; `fingerprint` is then one of its own.
  clone_of text,
  -- A floating seat of a licence (docs/decisions/205): the machine that was leased one holds it until `lease_until`; null: it holds none.
  -- Neither column is in an index, so that an extension every few minutes writes one small row version and no entry of an index.
  leased_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint activations_pkey primary key (id),
  constraint activations_user_id_host_id_fkey foreign key (user_id, host_id) references hosts(user_id, id) on update cascade,
  constraint activations_boot_check check (boot ~ '^[0-9a-f]{64}$'::text),
  constraint activations_check check (released_at >= first_seen),
  constraint activations_check1 check ((released_at is null) = (released_by is null)),
  constraint activations_check2 check (lease_until > leased_at),
  constraint activations_clone_of_check check (clone_of ~ '^[0-9a-f]{64}$'::text),
  constraint activations_fingerprint_check check (fingerprint ~ '^[0-9a-f]{64}$'::text),
  constraint activations_hostname_check check (length(hostname) <= 253),
  constraint activations_released_by_check check (released_by = any (array['owner'::text, 'system'::text]))
);
create index machines_by_last_seen on activations (last_seen) where released_at is null;
create index machines_of_host on activations (host_id, first_seen, id);
create index machines_of_user on activations (user_id, first_seen);
create unique index one_place_for_a_machine on activations (host_id, fingerprint) nulls not distinct where released_at is null;
create index released_machines on activations (released_at) where released_at is not null;
grant delete, insert, select, update on activations to hostdesk_app;
alter table activations enable row level security;
alter table activations force row level security;
create policy deleted_by_owner on activations for delete using (actor_owns(user_id));
create policy inserted_by_owner on activations for insert with check (actor_owns(user_id));
create policy readable on activations for select using (true);
create policy updated_by_owner on activations for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create constraint trigger released_machines_are_void after update of released_at on activations deferrable initially deferred for each row when (old.released_at is null and new.released_by = 'owner'::text) execute function revoke_released();

-- A document of a machine that was released counts no more.
create function revoke_released()
 returns trigger
 language plpgsql
as $$
begin
  perform revoke_documents((select public_id from hosts where id = new.host_id), 'released');
  return null;
end $$;

-- Add-ons chosen for the end of a licence, which cost nothing before. No row: those that it ends with.
create table chosen_extras (
  host_id bigint not null,
  user_id uuid not null,
  extras jsonb not null,
  chosen_at timestamp with time zone default clock_timestamp() not null,
  constraint chosen_extras_pkey primary key (host_id),
  constraint chosen_extras_host_id_fkey foreign key (host_id) references hosts(id),
  constraint chosen_extras_user_id_fkey foreign key (user_id) references users(id),
  constraint chosen_extras_extras_check check (jsonb_typeof(extras) = 'array'::text)
);
create index chosen_extras_of_user on chosen_extras (user_id);
grant delete, insert, select, update on chosen_extras to hostdesk_app;
alter table chosen_extras enable row level security;
alter table chosen_extras force row level security;
create policy deleted_by_owner on chosen_extras for delete using (actor_owns(user_id));
create policy inserted_by_owner on chosen_extras for insert with check (actor_owns(user_id));
create policy readable on chosen_extras for select using (true);
create policy updated_by_owner on chosen_extras for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Balances below zero after a charge-back: mails, and then the suspension of the servers that the account paid for
-- (docs/decisions/096).
create table debts (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  began_at timestamp with time zone default clock_timestamp() not null,
  -- As the first mail says it; null: never.
  suspend_after_days smallint,
  -- The last step that was taken, by its day, and when; null before the first.
  done_day smallint,
  last_step_at timestamp with time zone,
  -- When the next one is due; null: none is left.
  next_at timestamp with time zone,
  -- The balance is zero or more again.
  settled_at timestamp with time zone,
  constraint debts_pkey primary key (id),
  constraint debts_user_id_fkey foreign key (user_id) references users(id),
  constraint debts_check check (settled_at >= began_at),
  constraint debts_suspend_after_days_check check (suspend_after_days >= 1 and suspend_after_days <= 90)
);
create index debts_due on debts (next_at) where settled_at is null;
create index debts_of_user on debts (user_id, began_at);
create unique index open_debt_of_user on debts (user_id) where settled_at is null;
grant insert, select, update on debts to hostdesk_app;
alter table debts enable row level security;
alter table debts force row level security;
create policy deleted_by_owner on debts for delete using (actor_owns(user_id));
create policy inserted_by_owner on debts for insert with check (actor_owns(user_id));
create policy readable on debts for select using (true);
create policy updated_by_owner on debts for update using (actor_owns(user_id)) with check (actor_owns(user_id));

create table edition_entitlements (
  edition text not null,
  key text not null,
  type text not null,
  value jsonb not null,
  constraint edition_entitlements_pkey primary key (edition, key),
  constraint edition_entitlements_edition_fkey foreign key (edition) references editions(slug),
  constraint edition_entitlements_check check ( case type when 'bool'::text then jsonb_typeof(value) = 'boolean'::text when 'int'::text then jsonb_typeof(value) = 'number'::text and (value #>> '{}'::text[]) ~ '^-?[0-9]{1,15}$'::text else jsonb_typeof(value) = 'string'::text and length(value #>> '{}'::text[]) <= 200 end),
  constraint edition_entitlements_key_check check (key ~ '^[a-z][a-z0-9_.]{0,62}$'::text),
  constraint edition_entitlements_type_check check (type = any (array['bool'::text, 'int'::text, 'text'::text]))
);
grant delete, insert, select, update on edition_entitlements to hostdesk_app;

create table editions (
  slug text not null,
  name jsonb not null,
  description jsonb default '{"de": "", "en": "", "ru": ""}'::jsonb not null,
  -- Sentences in three languages, in the operator's order.
  features jsonb default '[]'::jsonb not null,
  -- The higher one is more.
  rank integer default 0 not null,
  trial_days smallint default 0 not null,
  is_active boolean default true not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  product text default 'server'::text not null,
  constraint editions_pkey primary key (slug),
  constraint editions_product_fkey foreign key (product) references products(slug),
  constraint editions_description_check check (in_three_languages(description, 400)),
  constraint editions_features_check check (jsonb_typeof(features) = 'array'::text and jsonb_array_length(features) <= 12),
  constraint editions_name_check check (in_three_languages(name, 100)),
  constraint editions_rank_check check (rank >= 0 and rank <= 9999),
  constraint editions_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text and length(slug) <= 64),
  constraint editions_trial_days_check check (trial_days >= 0 and trial_days <= 60)
);
grant insert, select, update on editions to hostdesk_app;

-- Extras of editions: a fee of the first order, add-ons by quantity, and one-offs (docs/decisions/207).
create table extras (
  slug text not null,
  edition text not null,
  kind text not null,
  name jsonb not null,
  -- Before VAT, in minor units: of an add-on for a month, of the others once.
  net bigint not null,
  -- The most of one order.
  most integer not null,
  is_active boolean default true not null,
  sort integer default 0 not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint extras_pkey primary key (slug),
  constraint extras_edition_fkey foreign key (edition) references editions(slug),
  constraint a_fee_is_one check (kind <> 'setup'::text or most = 1),
  constraint extras_kind_check check (kind = any (array['setup'::text, 'addon'::text, 'once'::text])),
  constraint extras_most_check check (most >= 1 and most <= 999),
  constraint extras_name_check check (in_three_languages(name, 100)),
  constraint extras_net_check check (net > 0),
  constraint extras_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text and length(slug) <= 64),
  constraint extras_sort_check check (sort >= 0 and sort <= 9999)
);
create index extras_of_edition on extras (edition);
grant insert, select, update on extras to hostdesk_app;

-- Purchases, at the price of that moment (rule 11). Written with its charge and its invoice, never changed.
create table licence_orders (
  id uuid not null,
  user_id uuid not null,
  host_id bigint not null,
  kind text not null,
  plan text not null,
  -- The plan's name at that time, by language: {"en": …, "de": …, "ru": …}.
  plan_name jsonb not null,
  term text not null,
  ipv4 inet,
  net bigint not null,
  vat bigint not null,
  total bigint not null,
  vat_rate_bp bigint not null,
  currency text not null,
  transaction_id uuid,
  -- The public id.
  invoice_id text,
  ordered_at timestamp with time zone not null,
  -- The agreement by which a payer pays for a server of another account (docs/decisions/106).
  payer_id uuid,
  agreement_id uuid,
  ipv6 inet,
  -- The code that has lowered an order, with the renewals for which it holds after it: the next one reads it here.
  promo jsonb,
  -- The extras of an order, at the prices for which they were agreed: the next renewal reads its add-ons here.
  extras jsonb,
  constraint licence_orders_pkey primary key (id),
  constraint licence_orders_transaction_id_host_id_key unique (transaction_id, host_id),
  constraint licence_orders_user_id_id_key unique (user_id, id),
  constraint licence_orders_agreement_id_fkey foreign key (agreement_id) references payment_agreements(id),
  constraint licence_orders_host_id_fkey foreign key (host_id) references hosts(id),
  constraint licence_orders_payer_id_fkey foreign key (payer_id) references users(id),
  constraint licence_orders_plan_fkey foreign key (plan) references plans(slug),
  constraint licence_orders_user_id_fkey foreign key (user_id) references users(id),
  constraint a_payer_has_an_agreement check ((payer_id is null) = (agreement_id is null)),
  constraint licence_orders_check check (total = (net + vat)),
  constraint licence_orders_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint licence_orders_extras_check check (jsonb_typeof(extras) = 'array'::text),
  constraint licence_orders_ipv4_check check (family(ipv4) = 4 and masklen(ipv4) = 32),
  constraint licence_orders_ipv6_check check (is_licensable_ipv6(ipv6)),
  constraint licence_orders_kind_check check (kind = any (array['order'::text, 'renewal'::text, 'auto_renewal'::text, 'upgrade'::text, 'trial'::text])),
  constraint licence_orders_promo_check check (jsonb_typeof(promo) = 'object'::text),
  constraint licence_orders_term_check check (term = any (array['P1M'::text, 'P3M'::text, 'P1Y'::text])),
  constraint licence_orders_vat_check check (vat >= 0),
  constraint licence_orders_vat_rate_bp_check check (vat_rate_bp >= 0),
  constraint only_a_trial_or_a_promo_code_costs_nothing check ( case when transaction_id is null then net = 0 and vat = 0 and invoice_id is null and payer_id is null and (kind = 'trial'::text or promo is not null) else kind <> 'trial'::text and invoice_id is not null and (net > 0 or net = 0 and promo is not null) end)
);
create index licence_orders_of_host on licence_orders (host_id);
create index orders_of_agreement on licence_orders (agreement_id, ordered_at) where agreement_id is not null;
grant insert, select on licence_orders to hostdesk_app;
alter table licence_orders enable row level security;
alter table licence_orders force row level security;
create policy deleted_by_owner on licence_orders for delete using (actor_owns(user_id));
create policy inserted_by_owner on licence_orders for insert with check (actor_owns(user_id));
create policy readable on licence_orders for select using (true);
create policy updated_by_owner on licence_orders for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger licence_orders_are_final before delete or update on licence_orders for each row execute function refuse_change();
create trigger licence_orders_are_not_truncated before truncate on licence_orders for each statement execute function refuse_change();
create constraint trigger order_has_its_payer after insert on licence_orders deferrable initially deferred for each row execute function order_has_its_payer();
create constraint trigger order_of_owner after insert on licence_orders deferrable initially deferred for each row execute function host_is_owned();

-- A licence may go on with another plan at its end, which costs nothing before (docs/decisions/031). No row: with the plan that it ends with.
--
create table licence_settings (
  host_id bigint not null,
  user_id uuid not null,
  renewal_plan text not null,
  chosen_at timestamp with time zone default clock_timestamp() not null,
  constraint licence_settings_pkey primary key (host_id),
  constraint licence_settings_host_id_fkey foreign key (host_id) references hosts(id),
  constraint licence_settings_renewal_plan_fkey foreign key (renewal_plan) references plans(slug),
  constraint licence_settings_user_id_fkey foreign key (user_id) references users(id)
);
create index licence_settings_by_plan on licence_settings (renewal_plan);
create index licence_settings_of_user on licence_settings (user_id);
grant delete, insert, select, update on licence_settings to hostdesk_app;
alter table licence_settings enable row level security;
alter table licence_settings force row level security;
create policy deleted_by_owner on licence_settings for delete using (actor_owns(user_id));
create policy inserted_by_owner on licence_settings for insert with check (actor_owns(user_id));
create policy readable on licence_settings for select using (true);
create policy updated_by_owner on licence_settings for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- How far the steps around the end of a licence have come (reminders, tries to renew): what makes a job that runs twice,
-- or late, do nothing twice.
create table licence_watches (
  host_id bigint not null,
  user_id uuid not null,
  -- The end that is watched; another one starts the steps anew.
  ends_at timestamp with time zone not null,
  -- In days from the end: the last step that was done.
  done_days smallint,
  -- When the next step is due; null behind the last.
  next_at timestamp with time zone,
  -- The reason for which the last try to renew failed; the next rise of the balance is another chance.
  refusal text,
  -- When another plan begins that was bought already: pages and agents hear of it then.
  plan_changes_at timestamp with time zone,
  -- The net price that the mails before this end have named; the automatic renewal charges no more (rule 46).
  announced_net bigint,
  -- The newest rise of a price that the customer was mailed about.
  price_told bigint,
  constraint licence_watches_pkey primary key (host_id),
  constraint licence_watches_follow_host foreign key (user_id, host_id) references hosts(user_id, id) on update cascade,
  constraint licence_watches_announced_net_check check (announced_net > 0)
);
create index licence_watches_by_time on licence_watches (next_at);
create index licence_watches_of_user on licence_watches (user_id) where refusal is not null;
grant delete, insert, select, update on licence_watches to hostdesk_app;
alter table licence_watches enable row level security;
alter table licence_watches force row level security;
create policy deleted_by_owner on licence_watches for delete using (actor_owns(user_id));
create policy inserted_by_owner on licence_watches for insert with check (actor_owns(user_id));
create policy readable on licence_watches for select using (true);
create policy updated_by_owner on licence_watches for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The address that was licensed, and when. One address carries one licence at a time in the whole installation. Apart from the
-- periods, because a host may change its address while it runs, and must not claim the new one for the past.
create table licensed_addresses (
  id bigint generated always as identity not null,
  user_id uuid not null,
  host_id bigint not null,
  ipv4 inet,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  ipv6 inet,
  constraint licensed_addresses_pkey primary key (id),
  constraint licensed_addresses_follow_host foreign key (user_id, host_id) references hosts(user_id, id) on update cascade,
  constraint licensed_addresses_check check (ends_at > starts_at),
  constraint licensed_addresses_ipv4_check check (family(ipv4) = 4 and masklen(ipv4) = 32),
  constraint licensed_addresses_ipv6_check check (is_licensable_ipv6(ipv6)),
  constraint one_address check (num_nonnulls(ipv4, ipv6) = 1),
  constraint one_licence_for_an_address exclude using gist (ipv4 inet_ops with &&, tstzrange(starts_at, ends_at) with &&) deferrable,
  constraint one_licence_for_an_ipv6 exclude using gist (ipv6 inet_ops with &&, tstzrange(starts_at, ends_at) with &&) where (ipv6 is not null) deferrable
);
create index licensed_addresses_of_host on licensed_addresses (host_id, ends_at);
grant delete, insert, select, update on licensed_addresses to hostdesk_app;
alter table licensed_addresses enable row level security;
alter table licensed_addresses force row level security;
create policy deleted_by_owner on licensed_addresses for delete using (actor_owns(user_id));
create policy inserted_by_owner on licensed_addresses for insert with check (actor_owns(user_id));
create policy readable on licensed_addresses for select using (true);
create policy updated_by_owner on licensed_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The runtime that an order paid for, [starts_at, ends_at). A refund or the end of its host shortens it, down to nothing.
create table paid_periods (
  id bigint generated always as identity not null,
  user_id uuid not null,
  host_id bigint not null,
  order_id uuid not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  -- The day of the month on which the unbroken runtime began.
  anchor_day smallint not null,
  ended text,
  plan text not null,
  edition text not null,
  term text not null,
  -- The value of this period: the price that was paid for it before VAT, less refunds.
  net bigint not null,
  payer_id uuid,
  invoice_id text,
  transaction_id uuid,
  -- The entitlements of its edition when it was bought.
  entitlements jsonb not null,
  place smallint default 1 not null,
  term_starts_at timestamp with time zone not null,
  -- The part of a period's price that is not for its time, less refunds: fees and one-offs. `net` is without it.
  once_net bigint default 0 not null,
  constraint paid_periods_pkey primary key (id),
  constraint paid_periods_order_id_key unique (order_id),
  constraint paid_periods_follow_host foreign key (user_id, host_id) references hosts(user_id, id) on update cascade,
  constraint paid_periods_order_id_fkey foreign key (order_id) references licence_orders(id),
  constraint paid_or_a_trial check (num_nonnulls(payer_id, invoice_id, transaction_id) = any (array[0, 3])),
  constraint paid_periods_anchor_day_check check (anchor_day >= 1 and anchor_day <= 31),
  constraint paid_periods_check check (ends_at >= starts_at),
  constraint paid_periods_ended_check check (ended = any (array['refunded'::text, 'deleted'::text, 'upgraded'::text])),
  constraint paid_periods_once_net_check check (once_net >= 0),
  constraint paid_periods_do_not_overlap exclude using gist (int8range(host_id, host_id, '[]'::text) with &&, tstzrange(starts_at, ends_at) with &&) deferrable
);
create index paid_periods_of_host on paid_periods (host_id, starts_at, id);
create index periods_by_end on paid_periods (ends_at, host_id) include (starts_at);
create index periods_by_start on paid_periods (host_id, starts_at) include (ends_at);
grant insert, select, update on paid_periods to hostdesk_app;
alter table paid_periods enable row level security;
alter table paid_periods force row level security;
create policy deleted_by_owner on paid_periods for delete using (actor_owns(user_id));
create policy inserted_by_owner on paid_periods for insert with check (actor_owns(user_id));
create policy readable on paid_periods for select using (true);
create policy updated_by_owner on paid_periods for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The servers whose owners were told, each once; `moved_at` is the time from which the server renews with the other plan.
create table plan_move_hosts (
  move_id bigint not null,
  host_id bigint not null,
  user_id uuid not null,
  told_at timestamp with time zone default now() not null,
  moved_at timestamp with time zone,
  constraint plan_move_hosts_pkey primary key (move_id, host_id),
  constraint plan_move_hosts_host_id_fkey foreign key (host_id) references hosts(id) on delete cascade,
  constraint plan_move_hosts_move_id_fkey foreign key (move_id) references plan_moves(id),
  constraint plan_move_hosts_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index plan_move_hosts_of_host on plan_move_hosts (host_id);
create index plan_move_hosts_of_user on plan_move_hosts (user_id);
create index plan_move_hosts_waiting on plan_move_hosts (move_id) where moved_at is null;
grant delete, insert, select, update on plan_move_hosts to hostdesk_app;
alter table plan_move_hosts enable row level security;
alter table plan_move_hosts force row level security;
create policy deleted_by_owner on plan_move_hosts for delete using (actor_owns(user_id));
create policy inserted_by_owner on plan_move_hosts for insert with check (actor_owns(user_id));
create policy readable on plan_move_hosts for select using (true);
create policy updated_by_owner on plan_move_hosts for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- A retired plan whose servers renew with another one: planned with notice, and undone until it counts.
create table plan_moves (
  id bigint generated always as identity not null,
  from_plan text not null,
  to_plan text not null,
  -- The most that the first renewal with the other plan may cost, in minor units before VAT: what the mails say.
  net bigint not null,
  counts_from timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  undone_at timestamp with time zone,
  constraint plan_moves_pkey primary key (id),
  constraint plan_moves_from_plan_fkey foreign key (from_plan) references plans(slug),
  constraint plan_moves_to_plan_fkey foreign key (to_plan) references plans(slug),
  constraint plan_moves_check check (counts_from >= (created_at + '720:00:00'::interval))
);
create index plan_moves_of_plan on plan_moves (from_plan);
grant insert, select, update on plan_moves to hostdesk_app;

-- The price at a time is that of the newest row whose time has come. Renewals may keep the one before for longer.
create table plan_prices (
  id bigint generated always as identity not null,
  plan text not null,
  -- Minor units of the installation's currency.
  net bigint not null,
  from_at timestamp with time zone not null,
  renewals_from_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint plan_prices_pkey primary key (id),
  constraint plan_prices_plan_fkey foreign key (plan) references plans(slug),
  constraint plan_prices_check check (renewals_from_at >= from_at),
  constraint plan_prices_net_check check (net > 0 and net <= '100000000000'::bigint)
);
create index prices_of_plan on plan_prices (plan, id);
grant insert, select on plan_prices to hostdesk_app;
create trigger guard_rise before insert on plan_prices for each row execute function guard_rise();
create trigger plan_prices_are_append_only before delete or update on plan_prices for each row execute function refuse_change();
create trigger plan_prices_are_not_truncated before truncate on plan_prices for each statement execute function refuse_change();

-- A rise reaches renewals 30 days after it reaches orders: their owners hear of it in time.
create function guard_rise()
 returns trigger
 language plpgsql
as $$
declare
  before bigint := (select net from plan_prices where plan = new.plan and renewals_from_at <= new.renewals_from_at order by id desc limit 1);
begin
  if new.net > before and new.renewals_from_at < new.from_at + interval '720 hours' then
    raise exception 'a rise of % reaches renewals too early', new.plan using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The operator's catalogue. A plan is retired, never deleted: orders and hosts go on naming it.
create table plans (
  slug text not null,
  name_en text not null,
  name_de text not null,
  name_ru text not null,
  term text not null,
  is_active boolean default true not null,
  sort integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  edition text not null,
  constraint plans_pkey primary key (slug),
  constraint plans_edition_fkey foreign key (edition) references editions(slug),
  constraint plans_name_de_check check (length(name_de) >= 1 and length(name_de) <= 100),
  constraint plans_name_en_check check (length(name_en) >= 1 and length(name_en) <= 100),
  constraint plans_name_ru_check check (length(name_ru) >= 1 and length(name_ru) <= 100),
  constraint plans_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text and length(slug) <= 64),
  constraint plans_term_check check (term = any (array['P1M'::text, 'P3M'::text, 'P1Y'::text]))
);
grant insert, select, update on plans to hostdesk_app;

-- Products stand above editions (docs/decisions/199). The first one is the server that all editions have been sold for.
create table products (
  slug text not null,
  name jsonb not null,
  description jsonb default '{"de": "", "en": "", "ru": ""}'::jsonb not null,
  -- A licence for a server counts at an address, one for a program on machines.
  kind text not null,
  asks_address boolean generated always as (kind = 'server'::text) stored not null,
  is_active boolean default true not null,
  sort integer default 0 not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint products_pkey primary key (slug),
  constraint products_description_check check (in_three_languages(description, 400)),
  constraint products_kind_check check (kind = any (array['server'::text, 'program'::text])),
  constraint products_name_check check (in_three_languages(name, 100)),
  constraint products_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text and length(slug) <= 64),
  constraint products_sort_check check (sort >= 0 and sort <= 9999)
);
grant insert, select, update on products to hostdesk_app;

-- Promo codes: they lower the price of a licence before VAT (docs/decisions/197).
create table promo_codes (
  id bigint generated always as identity not null,
  -- As it is advertised: no secret, unlike a voucher's, but not to be guessed either.
  code text not null,
  percent smallint,
  -- Minor units of `currency`, off one order before VAT.
  amount bigint,
  currency text not null,
  -- Null: each edition.
  editions text[],
  first_order_only boolean not null,
  -- The renewals after the order for which it goes on to hold.
  renewals smallint not null,
  uses integer not null,
  expires_at timestamp with time zone,
  note text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  -- A member of staff; null for the command line.
  made_by uuid,
  ended_at timestamp with time zone,
  ended_by uuid,
  constraint promo_codes_pkey primary key (id),
  constraint promo_codes_code_key unique (code),
  constraint promo_codes_id_uses_key unique (id, uses),
  constraint promo_codes_ended_by_fkey foreign key (ended_by) references users(id) on delete set null,
  constraint promo_codes_made_by_fkey foreign key (made_by) references users(id) on delete set null,
  constraint percent_or_amount check (num_nonnulls(percent, amount) = 1),
  constraint promo_codes_amount_check check (amount > 0),
  constraint promo_codes_code_check check (code ~ '^[A-Z0-9][A-Z0-9-]{2,31}$'::text),
  constraint promo_codes_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint promo_codes_editions_check check (cardinality(editions) > 0),
  constraint promo_codes_note_check check (length(note) <= 800),
  constraint promo_codes_percent_check check (percent >= 1 and percent <= 100),
  constraint promo_codes_renewals_check check (renewals >= 0 and renewals <= 120),
  constraint promo_codes_uses_check check (uses > 0)
);
grant insert, select on promo_codes to hostdesk_app;
create trigger keep_promo_code before update on promo_codes for each row execute function keep_promo_code();

-- A code was promised to those who have it, with all that it lowers: it is only ended, once.
create function keep_promo_code()
 returns trigger
 language plpgsql
as $$
begin
  if (new.id, new.code, new.percent, new.amount, new.currency, new.editions, new.first_order_only, new.renewals, new.uses, new.expires_at, new.created_at, new.note)
    is distinct from (old.id, old.code, old.percent, old.amount, old.currency, old.editions, old.first_order_only, old.renewals, old.uses, old.expires_at, old.created_at, old.note)
    or (old.ended_at is not null and new.ended_at is distinct from old.ended_at) then
    raise exception 'a promo code is only ended, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- The slot is one of the code's uses: one more cannot be inserted, whatever the code does. Nor a second of one account.
create table promo_uses (
  promo_id bigint not null,
  slot integer not null,
  uses integer not null,
  user_id uuid not null,
  used_at timestamp with time zone default now() not null,
  constraint promo_uses_pkey primary key (promo_id, slot),
  constraint promo_uses_promo_id_user_id_key unique (promo_id, user_id),
  constraint promo_uses_promo_id_uses_fkey foreign key (promo_id, uses) references promo_codes(id, uses),
  constraint promo_uses_user_id_fkey foreign key (user_id) references users(id),
  constraint promo_uses_check check (slot >= 1 and slot <= uses)
);
create index promo_uses_of_user on promo_uses (user_id);
grant insert, select on promo_uses to hostdesk_app;
alter table promo_uses enable row level security;
alter table promo_uses force row level security;
create policy deleted_by_owner on promo_uses for delete using (actor_owns(user_id));
create policy inserted_by_owner on promo_uses for insert with check (actor_owns(user_id));
create policy readable on promo_uses for select using (true);
create policy updated_by_owner on promo_uses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger promo_uses_are_append_only before delete or update on promo_uses for each row execute function refuse_change();
create trigger promo_uses_are_not_truncated before truncate on promo_uses for each statement execute function refuse_change();

-- The number of the list of revocations, which changes with each row of them and each withdrawn key.
create table revocation_list (
  one boolean default true not null,
  seq bigint not null,
  changed_at timestamp with time zone default now() not null,
  constraint revocation_list_pkey primary key (one),
  constraint revocation_list_one_check check (one)
);
grant select on revocation_list to hostdesk_app;

-- Documents that were issued before a licence was suspended, cut short, moved or deleted, for verifiers that do not come to us
-- (docs/decisions/102). Written by triggers, so that no way to end a licence can forget it.
create table revocations (
  seq bigint not null,
  -- hosts.public_id, without a reference: it outlives the host.
  sub text not null,
  -- In seconds since 1970: documents with an earlier `iat` are void.
  before bigint not null,
  reason text not null,
  -- No such document counts any longer then.
  until timestamp with time zone not null,
  -- Documents with a former key are void when that key ends: at once, or at the end of the time for which it still answers.
  begins_at timestamp with time zone,
  constraint revocations_pkey primary key (seq),
  constraint revocations_reason_check check (reason = any (array['suspended'::text, 'cut_short'::text, 'address'::text, 'deleted'::text, 'released'::text, 'transferred'::text, 'key'::text]))
);
create index revocations_by_end on revocations (until);
create index revocations_by_sub on revocations (sub, before);
grant delete, select on revocations to hostdesk_app;

-- The keys that sign licence documents.
create table signing_keys (
  -- RFC 7638: the hash of the public key, so that no two keys can share a name.
  kid text not null,
  -- Ed25519, 32 bytes as base64url: the `x` of a JSON Web Key.
  public_key text not null,
  -- PKCS 8, sealed with SECRET_KEY. Erased when the key is retired: what cannot sign cannot be stolen.
  private_key text,
  created_at timestamp with time zone default now() not null,
  retired_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint signing_keys_pkey primary key (kid),
  constraint signing_keys_check check ((private_key is null) = (retired_at is not null)),
  constraint signing_keys_kid_check check (length(kid) = 43),
  constraint signing_keys_public_key_check check (length(public_key) = 43),
  constraint signing_keys_withdrawn_is_retired check (withdrawn_at is null or retired_at is not null)
);
create unique index signing_keys_one_signs on signing_keys ((true)) where retired_at is null;
grant delete, insert, select, update on signing_keys to hostdesk_app;
create constraint trigger withdrawn_keys_are_listed after update of withdrawn_at on signing_keys deferrable initially deferred for each row when (old.withdrawn_at is null and new.withdrawn_at is not null) execute function revoke_key();

create function revoke_key()
 returns trigger
 language plpgsql
as $$
begin
  perform next_revocation();
  return null;
end $$;

-- Hosts that may not run although they are paid for: a member of staff or the command line suspended them. The paid time runs on
-- (docs/decisions/096).
create table suspensions (
  id uuid default gen_random_uuid() not null,
  host_id bigint not null,
  user_id uuid not null,
  reason text not null,
  -- The customer reads it.
  text_public text not null,
  -- For staff.
  text_internal text not null,
  starts_at timestamp with time zone default clock_timestamp() not null,
  -- A member of staff; null for the command line.
  suspended_by uuid,
  lifted_at timestamp with time zone,
  lifted_by uuid,
  -- Set where the system suspended for a debt: these suspensions end with it. Null: a person suspended.
  debt_id uuid,
  constraint suspensions_pkey primary key (id),
  constraint suspensions_debt_id_fkey foreign key (debt_id) references debts(id),
  constraint suspensions_host_id_fkey foreign key (host_id) references hosts(id),
  constraint suspensions_lifted_by_fkey foreign key (lifted_by) references users(id) on delete set null,
  constraint suspensions_suspended_by_fkey foreign key (suspended_by) references users(id) on delete set null,
  constraint suspensions_user_id_fkey foreign key (user_id) references users(id),
  constraint suspensions_check check (lifted_at >= starts_at),
  constraint suspensions_check1 check (lifted_at is not null or lifted_by is null),
  constraint suspensions_reason_check check (reason = any (array['charge_back'::text, 'debt'::text, 'abuse'::text, 'other'::text])),
  constraint suspensions_text_internal_check check (length(text_internal) >= 1 and length(text_internal) <= 800),
  constraint suspensions_text_public_check check (length(text_public) <= 2000)
);
create unique index open_suspension_of_host on suspensions (host_id) where lifted_at is null;
create index suspensions_of_debt on suspensions (debt_id) where debt_id is not null;
create index suspensions_of_user on suspensions (user_id, starts_at);
grant insert, select, update on suspensions to hostdesk_app;
alter table suspensions enable row level security;
alter table suspensions force row level security;
create policy deleted_by_owner on suspensions for delete using (actor_owns(user_id));
create policy inserted_by_owner on suspensions for insert with check (actor_owns(user_id));
create policy readable on suspensions for select using (true);
create policy updated_by_owner on suspensions for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create constraint trigger suspended_documents_are_void after insert on suspensions deferrable initially deferred for each row execute function revoke_suspended();

create function revoke_suspended()
 returns trigger
 language plpgsql
as $$
declare of_host text;
begin
  select public_id into of_host from hosts where id = new.host_id and paid_until > now();
  if found then perform revoke_documents(of_host, 'suspended'); end if;
  return null;
end $$;

-- The address on which a trial ran: an IPv4 address, or the network of an IPv6 address.
create table trial_addresses (
  address inet not null,
  host_id bigint not null,
  user_id uuid not null,
  constraint trial_addresses_pkey primary key (address),
  constraint trial_addresses_host_id_fkey foreign key (host_id) references hosts(id),
  constraint trial_addresses_user_id_fkey foreign key (user_id) references users(id),
  constraint trial_addresses_address_check check (masklen(address) = case family(address) when 4 then 32 else 64 end)
);
create index trial_addresses_of_host on trial_addresses (host_id);
create index trial_addresses_of_user on trial_addresses (user_id);
grant insert, select on trial_addresses to hostdesk_app;
alter table trial_addresses enable row level security;
alter table trial_addresses force row level security;
create policy deleted_by_owner on trial_addresses for delete using (actor_owns(user_id));
create policy inserted_by_owner on trial_addresses for insert with check (actor_owns(user_id));
create policy readable on trial_addresses for select using (true);
create policy updated_by_owner on trial_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));

create table trials (
  user_id uuid not null,
  edition text not null,
  order_id uuid not null,
  host_id bigint not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint trials_pkey primary key (user_id, edition),
  constraint trials_edition_fkey foreign key (edition) references editions(slug),
  constraint trials_host_id_fkey foreign key (host_id) references hosts(id),
  constraint trials_order_id_fkey foreign key (order_id) references licence_orders(id) deferrable initially deferred,
  constraint trials_user_id_fkey foreign key (user_id) references users(id),
  constraint trials_check check (ends_at > starts_at)
);
create index trials_by_order on trials (order_id);
create index trials_of_host on trials (host_id);
grant insert, select on trials to hostdesk_app;
alter table trials enable row level security;
alter table trials force row level security;
create policy deleted_by_owner on trials for delete using (actor_owns(user_id));
create policy inserted_by_owner on trials for insert with check (actor_owns(user_id));
create policy readable on trials for select using (true);
create policy updated_by_owner on trials for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The next charges of servers with automatic renewal, and from which balance, from the tables of their owners. The rate of VAT is that
-- of the last order: the next one is decided when it comes.
create view due_renewals with (security_invoker=true) as
 select h.id as host_id,
    h.user_id,
    p.ends_at,
    p.ends_at - '24:00:00'::interval as charged_at,
    o.vat_rate_bp,
    coalesce(b.balance, 0::bigint) as balance,
    least(w.announced_net, ( select r.net
           from plan_prices r
          where r.plan = coalesce(s.renewal_plan, p.plan) and r.renewals_from_at <= greatest(p.ends_at - '24:00:00'::interval, now())
          order by r.id desc
         limit 1)) as net
   from hosts h
     join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
     join licence_orders o on o.id = p.order_id
     left join licence_settings s on s.host_id = h.id
     left join licence_watches w on w.host_id = h.id
     left join balances b on b.user_id = h.user_id and b.currency = o.currency
  where h.auto_renew and h.deleted_at is null;
grant select on due_renewals to hostdesk_app;

-- The plans that servers with automatic renewal go on with.
create view plan_renewals with (security_invoker=true) as
 select coalesce(s.renewal_plan, p.plan) as plan,
    h.id as host_id,
    h.user_id,
    p.ends_at,
    w.announced_net,
    h.public_id,
    h.name
   from hosts h
     join paid_periods p on p.host_id = h.id and p.ends_at = h.paid_until and p.ends_at > p.starts_at
     left join licence_settings s on s.host_id = h.id
     left join licence_watches w on w.host_id = h.id
  where h.auto_renew and h.deleted_at is null;
grant select on plan_renewals to hostdesk_app;

-- Credits for what another account has paid are that account's: the payer of an agreement, or a former owner.
create function begin_credit(credited uuid)
 returns void
 language plpgsql
as $$
begin
  if not exists (
    select from licence_orders o join hosts h on h.id = o.host_id
    where o.transaction_id = credited and coalesce(o.payer_id, o.user_id) <> h.user_id and actor_owns(h.user_id)) then
    raise exception 'transaction % did not pay for a server of this account', credited using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
end $$;

-- Claims the addresses of a host for a period, all or none. Null, or the family of which another licence has one then.
create function claim_addresses(user_id uuid, host_id bigint, ipv4 inet, ipv6 inet, starts_at timestamp with time zone, ends_at timestamp with time zone)
 returns text
 language plpgsql
as $$
declare violated text;
begin
  insert into licensed_addresses (user_id, host_id, ipv4, starts_at, ends_at)
  select $1, $2, $3, $5, $6 where $3 is not null;
  insert into licensed_addresses (user_id, host_id, ipv6, starts_at, ends_at)
  select $1, $2, $4, $5, $6 where $4 is not null;
  return null;
exception when exclusion_violation then
  get stacked diagnostics violated = constraint_name;
  return case violated when 'one_licence_for_an_ipv6' then 'ipv6' else 'ipv4' end;
end $$;

-- The earliest `iat`, in seconds since 1970, that no revocation of the host voids; 0 without any. It returns a row, which PostgreSQL plans
-- within the statement that asks; a value it would ask by a statement of its own for each server of a list.
create function documents_from(of_host text)
 returns table(starts_s bigint)
 language sql
 stable
as $$
  select coalesce(max(r.before), 0) from revocations r where r.sub = of_host
$$;

create function extras_at_end(host bigint)
 returns jsonb
 language sql
 stable
as $$
  select extras from chosen_extras where host_id = host
$$;

create function in_three_languages(texts jsonb, most integer)
 returns boolean
 language sql
 immutable
as $$
  select jsonb_typeof(texts) = 'object' and texts ?& array['en', 'de', 'ru']
    and (select bool_and(jsonb_typeof(value) = 'string' and length(value #>> '{}') <= most) from jsonb_each(texts))
$$;

-- The paid period of a host that runs at a time, or the last one before it where none does, and all that come after it. Periods that a
-- refund or a deletion shrank to nothing do not count. Without "security definer" and with one statement it is written into the query that
-- asks, so that each host costs one look into paid_periods_of_host. The price that an earlier owner has paid is hidden from the next one: it is null, but for a trial, which costs nothing.
create function licence_at(host bigint, at timestamp with time zone)
 returns table(plan text, plan_name jsonb, edition text, term text, price bigint, net bigint, currency text, entitlements jsonb, ordered_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone)
 language sql
 stable
as $$
  select p.plan, o.plan_name, p.edition, p.term, case when o.user_id = p.user_id or o.kind = 'trial' then o.total end, p.net, o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = p.edition), '{}') || p.entitlements,
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$$;

-- Never less than the clock's second: after a restore verifiers that know a later list would refuse the next one.
create function next_revocation()
 returns bigint
 language sql
 security definer
 set search_path to 'pg_catalog', 'public', 'pg_temp'
as $$
  update revocation_list set seq = greatest(seq + 1, extract(epoch from clock_timestamp())::bigint), changed_at = clock_timestamp()
  returning seq
$$;

-- As paid_times, with the extras of the order, for the owner who ordered.
create function paid_terms(host bigint, at timestamp with time zone)
 returns table(plan text, plan_name jsonb, edition text, term text, price bigint, currency text, entitlements jsonb, is_trial boolean, promo jsonb, extras jsonb, ordered_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone)
 language sql
 stable
as $$
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

-- As licence_at, with the kind of the order and the code that lowered it, for the owner who ordered.
create function paid_times(host bigint, at timestamp with time zone)
 returns table(plan text, plan_name jsonb, edition text, term text, price bigint, currency text, entitlements jsonb, is_trial boolean, promo jsonb, ordered_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone)
 language sql
 stable
as $$
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

-- The fields of its product that a host shows, read with the row.
create function product_of(product text)
 returns json
 language sql
 stable
as $$
  select json_build_object('slug', p.slug, 'name', p.name, 'kind', p.kind) from products p where p.slug = $1
$$;

-- The product of a plan, for the host that an order makes; of a plan that is not there, the first one.
create function product_of_plan(plan text)
 returns text
 language sql
 stable
as $$
  select coalesce((select e.product from plans p join editions e on e.slug = p.edition where p.slug = $1), 'server')
$$;

create function renewal_of(host bigint)
 returns table(plan text, plan_name jsonb, term text)
 language sql
 stable
as $$
  select p.slug, jsonb_build_object('en', p.name_en, 'de', p.name_de, 'ru', p.name_ru), p.term
  from licence_settings s join plans p on p.slug = s.renewal_plan
  where s.host_id = host
$$;

-- Documents that name an IPv6 are void once the host has lost it; one that was added voids nothing.
create function revoke_changed()
 returns trigger
 language plpgsql
as $$
begin
  perform revoke_documents(old.public_id, case
    when new.deleted_at is not null and old.deleted_at is null then 'deleted'
    when new.ipv4 is distinct from old.ipv4 or new.ipv6 is distinct from old.ipv6 then 'address'
    else 'cut_short' end);
  return null;
end $$;

-- At the commit, so that the row of the list is the last one locked and no document from before it is signed with a later second: the second
-- that runs and the next one are void as well, for check-ins that have read the row before the commit was seen. 10 days: documents of
-- 7 days with 72 hours of grace; one day more for clocks that are off.
create function revoke_documents(of_host text, why text)
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'public', 'pg_temp'
as $$
declare
  -- A statement of its own: it waits for other revocations, and the next one sees them.
  number bigint := next_revocation();
begin
  insert into revocations (seq, sub, before, reason, until)
  values (number, of_host, void_before(clock_timestamp(), (select d.starts_s from documents_from(of_host) d)), why, clock_timestamp() + interval '11 days');
end $$;

create function revoke_renewed()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'public', 'pg_temp'
as $$
declare
  number bigint := next_revocation();
begin
  insert into revocations (seq, sub, before, reason, begins_at, until)
  values (number, old.public_id, void_before(clock_timestamp(), (select d.starts_s from documents_from(old.public_id) d)), 'key',
    (select f.ends_at from former_keys f where f.licence_key = old.licence_key), clock_timestamp() + interval '12 days');
  return null;
end $$;

create function revoke_transferred()
 returns trigger
 language plpgsql
as $$
begin
  perform revoke_documents(old.public_id, 'transferred');
  return null;
end $$;

-- A refund counts once, however many orders its charge has paid.
create function spent_by_agreement(agreement uuid)
 returns bigint
 language sql
 stable
as $$
  with month as (select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as begins),
  paid as (select distinct transaction_id from licence_orders where agreement_id = agreement)
  select greatest(0, coalesce((
      select sum(o.total) from licence_orders o, month where o.agreement_id = agreement and o.ordered_at >= month.begins), 0)
    - coalesce((
      select sum(e.amount) from paid p join transactions t on t.reverses = p.transaction_id
        join entries e on e.transaction_id = t.id and e.of_customer, month
      where t.created_at >= month.begins), 0))::bigint
$$;

-- The open one of a host. Without "security definer" and with one statement it is written into the query that asks, as licence_at is.
create function suspension_of(host bigint)
 returns table(starts_at timestamp with time zone, reason text, text_public text)
 language sql
 stable
as $$
  select s.starts_at, s.reason, s.text_public from suspensions s where s.host_id = host and s.lifted_at is null
$$;

-- The second after a time and one more: a reader may still see the host as it was while the commit is on its way. After an earlier
-- revocation, documents bear its second, which may be still to come: the next one voids them too.
create function void_before(at timestamp with time zone, latest bigint)
 returns bigint
 language sql
 immutable
as $$
  select greatest(ceil(extract(epoch from at))::bigint + 1, latest + 1)
$$;
