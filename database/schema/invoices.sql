-- The tables of features/invoices with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

create table billing_details (
  user_id uuid not null,
  -- The address to which invoices go besides the account; used once it is proven as an address of the account, '' for the primary one.
  email text default ''::text not null,
  buyer_reference text default ''::text not null,
  order_reference text default ''::text not null,
  -- True if the mail carries the documents.
  send_pdf boolean default true not null,
  changed_at timestamp with time zone default now() not null,
  constraint billing_details_pkey primary key (user_id),
  constraint billing_details_user_id_fkey foreign key (user_id) references users(id),
  constraint billing_details_buyer_reference_check check (length(buyer_reference) <= 100),
  constraint billing_details_email_check check (length(email) <= 254),
  constraint billing_details_order_reference_check check (length(order_reference) <= 100)
);
grant delete, insert, select, update on billing_details to hostdesk_app;
alter table billing_details enable row level security;
alter table billing_details force row level security;
create policy deleted_by_owner on billing_details for delete using (actor_owns(user_id));
create policy inserted_by_owner on billing_details for insert with check (actor_owns(user_id));
create policy readable on billing_details for select using (true);
create policy updated_by_owner on billing_details for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The rates by which documents in another currency state their VAT in that of the seller's state (docs/decisions/148).
create table exchange_rates (
  day date not null,
  currency text not null,
  -- The units of the currency that one euro is worth.
  per_euro numeric not null,
  -- The publisher, as documents name it.
  source text not null,
  taken_at timestamp with time zone default now() not null,
  constraint exchange_rates_pkey primary key (day, currency),
  constraint exchange_rates_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint exchange_rates_per_euro_check check (per_euro > 0::numeric),
  constraint exchange_rates_source_check check (length(source) >= 1 and length(source) <= 100)
);
grant insert, select on exchange_rates to hostdesk_app;

-- The country of the network from which an account was bought, which has not been signed in to yet (docs/decisions/147).
create table first_networks (
  user_id uuid not null,
  country text not null,
  created_at timestamp with time zone default now() not null,
  constraint first_networks_pkey primary key (user_id),
  constraint first_networks_user_id_fkey foreign key (user_id) references users(id),
  constraint first_networks_country_check check (country ~ '^[A-Z]{2}$'::text)
);
grant delete, insert, select on first_networks to hostdesk_app;
alter table first_networks enable row level security;
alter table first_networks force row level security;
create policy deleted_by_owner on first_networks for delete using (actor_owns(user_id));
create policy inserted_by_owner on first_networks for insert with check (actor_owns(user_id));
create policy readable on first_networks for select using (true);
create policy updated_by_owner on first_networks for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The last number of each year. Its row is locked from the taking of a number until the commit, so that a rollback gives the
-- number back: a sequence would leave a gap (rule 13).
create table invoice_counters (
  year smallint not null,
  last_number bigint not null,
  constraint invoice_counters_pkey primary key (year),
  constraint invoice_counters_last_number_check check (last_number > 0)
);
grant insert, select, update on invoice_counters to hostdesk_app;

-- Made once, then only handed out: two downloads are the same bytes.
create table invoice_documents (
  invoice_id bigint not null,
  format text not null,
  user_id uuid not null,
  content bytea not null,
  made_at timestamp with time zone default now() not null,
  version smallint default 1 not null,
  constraint invoice_documents_pkey primary key (invoice_id, version, format),
  constraint invoice_documents_user_id_invoice_id_fkey foreign key (user_id, invoice_id) references invoices(user_id, id),
  constraint invoice_documents_format_check check (format = any (array['pdf'::text, 'xrechnung'::text])),
  constraint invoice_documents_version_check check (version > 0)
);
grant delete, insert, select on invoice_documents to hostdesk_app;
alter table invoice_documents enable row level security;
alter table invoice_documents force row level security;
create policy deleted_by_owner on invoice_documents for delete using (actor_owns(user_id));
create policy inserted_by_owner on invoice_documents for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy readable on invoice_documents for select using (true);
create policy updated_by_owner on invoice_documents for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));
create trigger invoice_documents_are_kept before delete or update on invoice_documents for each row execute function refuse_change_while_kept();
create trigger invoice_documents_are_not_truncated before truncate on invoice_documents for each statement execute function refuse_change();

create table invoice_lines (
  invoice_id bigint not null,
  place smallint not null,
  user_id uuid not null,
  description jsonb not null,
  quantity bigint not null,
  -- Net, of one.
  cost bigint not null,
  price bigint not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  -- The amount that a promo code takes off a line of an invoice: `price` is without it. `reduction` is a code and its parameters, as a description is.
  allowance bigint default 0 not null,
  reduction jsonb,
  constraint invoice_lines_pkey primary key (invoice_id, place),
  constraint invoice_lines_user_id_invoice_id_fkey foreign key (user_id, invoice_id) references invoices(user_id, id),
  constraint invoice_lines_allowance_check check (allowance >= 0),
  constraint invoice_lines_check1 check (ends_at > starts_at),
  constraint invoice_lines_cost_check check (cost >= 0),
  constraint invoice_lines_quantity_check check (quantity > 0),
  constraint price_of_line check (price = (quantity * cost - allowance) and price >= 0),
  constraint reduction_has_a_reason check ((reduction is null) = (allowance = 0))
);
create index invoice_lines_by_end on invoice_lines (ends_at) where ends_at is not null;
grant delete, insert, select on invoice_lines to hostdesk_app;
alter table invoice_lines enable row level security;
alter table invoice_lines force row level security;
create policy deleted_by_owner on invoice_lines for delete using (actor_owns(user_id));
create policy inserted_by_owner on invoice_lines for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy readable on invoice_lines for select using (true);
create policy updated_by_owner on invoice_lines for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));
create constraint trigger invoice_lines_add_up after insert on invoice_lines deferrable initially deferred for each row execute function line_adds_up();
create trigger invoice_lines_are_kept before delete or update on invoice_lines for each row execute function refuse_change_while_kept();
create trigger invoice_lines_are_not_truncated before truncate on invoice_lines for each statement execute function refuse_change();

create function line_adds_up()
 returns trigger
 language plpgsql
as $$
begin
  perform add_up(new.invoice_id);
  return null;
end $$;

-- The invoices that a mail tells of: one mail for each, whatever is tried again.
create table invoice_mails (
  invoice_id bigint not null,
  user_id uuid not null,
  constraint invoice_mails_pkey primary key (invoice_id),
  constraint invoice_mails_user_id_invoice_id_fkey foreign key (user_id, invoice_id) references invoices(user_id, id)
);
grant insert, select on invoice_mails to hostdesk_app;
alter table invoice_mails enable row level security;
alter table invoice_mails force row level security;
create policy deleted_by_owner on invoice_mails for delete using (actor_owns(user_id));
create policy inserted_by_owner on invoice_mails for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy readable on invoice_mails for select using (true);
create policy updated_by_owner on invoice_mails for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));

-- Accounts whose documents another account reads beside its own. The documents stay with the buyer whom they name.
create table invoice_readers (
  user_id uuid not null,
  reader_id uuid not null,
  constraint invoice_readers_pkey primary key (user_id),
  constraint invoice_readers_reader_id_fkey foreign key (reader_id) references users(id),
  constraint invoice_readers_user_id_fkey foreign key (user_id) references users(id),
  constraint invoice_readers_check check (user_id <> reader_id)
);
create index invoice_readers_of_reader on invoice_readers (reader_id);
grant delete, insert, select on invoice_readers to hostdesk_app;
alter table invoice_readers enable row level security;
alter table invoice_readers force row level security;
create policy deleted_by_owner on invoice_readers for delete using (actor_owns(user_id));
create policy inserted_by_owner on invoice_readers for insert with check (actor_owns(user_id));
create policy readable on invoice_readers for select using (true);
create policy updated_by_owner on invoice_readers for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Seller and buyer as they were on that day. Deleting an account does not touch it; keep_until ends it.
create table invoice_snapshots (
  invoice_id bigint not null,
  user_id uuid not null,
  seller jsonb not null,
  buyer jsonb not null,
  notes jsonb not null,
  -- The facts that decided the VAT, and when.
  evidence jsonb not null,
  buyer_reference text default ''::text not null,
  order_reference text default ''::text not null,
  constraint invoice_snapshots_pkey primary key (invoice_id),
  constraint invoice_snapshots_user_id_invoice_id_fkey foreign key (user_id, invoice_id) references invoices(user_id, id),
  constraint invoice_snapshots_buyer_reference_check check (length(buyer_reference) <= 100),
  constraint invoice_snapshots_order_reference_check check (length(order_reference) <= 100)
);
grant delete, insert, select on invoice_snapshots to hostdesk_app;
alter table invoice_snapshots enable row level security;
alter table invoice_snapshots force row level security;
create policy deleted_by_owner on invoice_snapshots for delete using (actor_owns(user_id));
create policy inserted_by_owner on invoice_snapshots for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy readable on invoice_snapshots for select using (true);
create policy updated_by_owner on invoice_snapshots for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));
create trigger invoice_snapshots_are_kept before delete or update on invoice_snapshots for each row execute function refuse_change_while_kept();
create trigger invoice_snapshots_are_not_truncated before truncate on invoice_snapshots for each statement execute function refuse_change();

-- The facts that the books need, kept for good: nothing in it tells who somebody was.
create table invoices (
  id bigint generated always as identity not null,
  public_id text not null,
  user_id uuid not null,
  year smallint not null,
  place bigint not null,
  number text not null,
  kind text not null,
  credit_note_of bigint,
  -- Of finance: what paid the invoice, or gave the money back.
  transaction_id uuid not null,
  -- The server's public id.
  host_id text,
  issued_at timestamp with time zone not null,
  -- The language of the customer at that time, and so of the documents.
  locale text not null,
  currency text not null,
  -- Minor units. Positive on a credit note, too.
  net bigint not null,
  vat bigint not null,
  total bigint not null,
  vat_kind text not null,
  vat_country text not null,
  -- In basis points: 1900 is 19 %.
  vat_rate_bp bigint not null,
  -- Until when the law wants it whole (by the one-stop shop for ten years: VAT directive, article 369k); then the snapshot and the documents go.
  keep_until date not null,
  version smallint default 1 not null,
  -- Sales to consumers elsewhere in the EU that are taxed at home, because all of them are few (docs/decisions/148).
  below_threshold boolean default false not null,
  gift bigint default 0 not null,
  allowance bigint default 0 not null,
  constraint invoices_pkey primary key (id),
  constraint invoices_number_key unique (number),
  constraint invoices_public_id_key unique (public_id),
  constraint invoices_user_id_id_key unique (user_id, id),
  constraint invoices_year_place_key unique (year, place),
  constraint invoices_user_id_credit_note_of_fkey foreign key (user_id, credit_note_of) references invoices(user_id, id),
  constraint invoices_user_id_fkey foreign key (user_id) references users(id),
  constraint invoices_year_fkey foreign key (year) references invoice_counters(year),
  constraint allowance_is_of_the_gift check (allowance >= 0 and allowance <= gift),
  constraint invoices_check check (total = (net + vat)),
  constraint invoices_check1 check ((kind = 'credit_note'::text) = (credit_note_of is not null)),
  constraint invoices_check2 check ((vat_kind = any (array['standard'::text, 'oss'::text])) or vat_rate_bp = 0 and vat = 0),
  constraint invoices_currency_check check (currency ~ '^[A-Z]{3}$'::text),
  constraint invoices_kind_check check (kind = any (array['invoice'::text, 'credit_note'::text])),
  constraint invoices_locale_check check (locale = any (array['en'::text, 'de'::text, 'ru'::text])),
  constraint invoices_net_check check (net >= 0),
  constraint invoices_place_check check (place > 0),
  constraint invoices_public_id_check check (public_id ~ '^[A-Za-z0-9_-]{22}$'::text),
  constraint invoices_vat_check check (vat >= 0),
  constraint invoices_vat_country_check check (vat_country ~ '^[A-Z]{2}$'::text),
  constraint invoices_vat_kind_check check (vat_kind = any (array['standard'::text, 'oss'::text, 'reverse_charge'::text, 'outside_eu'::text, 'small_business'::text])),
  constraint invoices_vat_rate_bp_check check (vat_rate_bp >= 0 and vat_rate_bp <= 9999),
  constraint invoices_version_check check (version > 0),
  constraint only_taxed_at_home_below_the_threshold check (not below_threshold or (vat_kind = any (array['standard'::text, 'small_business'::text])))
);
create index credit_notes_by_time on invoices (issued_at, id) where kind = 'credit_note'::text;
create index credit_notes_of_invoice on invoices (credit_note_of) where credit_note_of is not null;
create index invoices_by_country on invoices (vat_country, issued_at, id);
create index invoices_by_end_of_keeping on invoices (keep_until, id);
create index invoices_by_signed_total on invoices ((
case kind
    when 'credit_note'::text then - total
    else total
end), id);
create index invoices_by_time on invoices (issued_at, id) include (kind, vat_kind, vat_country, currency, net, vat, total, keep_until);
create index invoices_by_vat_kind on invoices (vat_kind, issued_at, id);
create unique index invoices_by_version on invoices (transaction_id, kind, version);
create index invoices_elsewhere on invoices (issued_at) include (kind, vat_kind, currency, net) where vat_kind = 'oss'::text or below_threshold;
create index invoices_of_user on invoices (user_id, id);
grant insert, select on invoices to hostdesk_app;
alter table invoices enable row level security;
alter table invoices force row level security;
create policy deleted_by_owner on invoices for delete using (actor_owns(user_id));
create policy inserted_by_owner on invoices for insert with check (actor_owns(user_id) or payer_owns(user_id));
create policy readable on invoices for select using (true);
create policy updated_by_owner on invoices for update using (actor_owns(user_id) or payer_owns(user_id)) with check (actor_owns(user_id) or payer_owns(user_id));
create constraint trigger invoices_add_up after insert on invoices deferrable initially deferred for each row execute function invoice_adds_up();
create trigger invoices_are_not_truncated before truncate on invoices for each statement execute function refuse_change();
create trigger invoices_never_change before delete or update on invoices for each row execute function refuse_change();

create function invoice_adds_up()
 returns trigger
 language plpgsql
as $$
begin
  perform add_up(new.id);
  return null;
end $$;

-- Notices to staff about the limits of a seller, once a year each.
create table limit_notices (
  name text not null,
  year smallint not null,
  state text not null,
  told_at timestamp with time zone default now() not null,
  constraint limit_notices_pkey primary key (name, year, state),
  constraint limit_notices_state_check check (state = any (array['near'::text, 'passed'::text]))
);
grant insert, select on limit_notices to hostdesk_app;

create table place_questions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  -- The code of the place by the address (features/invoices/server/territories.ts): CH, IC, DE-HELGOLAND.
  place text not null,
  opened_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- The answer of the customer; '' before it.
  answer text default ''::text not null,
  answered_at timestamp with time zone,
  -- Set by a decision of staff, or once the facts agree.
  closed_at timestamp with time zone,
  constraint place_questions_pkey primary key (id),
  constraint place_questions_user_id_fkey foreign key (user_id) references users(id),
  constraint place_questions_answer_check check (length(answer) <= 4000),
  constraint place_questions_check check ((answer = ''::text) = (answered_at is null)),
  constraint place_questions_place_check check (place ~ '^[A-Z]{2}(-[A-Z0-9]{1,12})?$'::text)
);
create index place_questions_by_age on place_questions (opened_at, id);
create index place_questions_of_user on place_questions (user_id, opened_at);
create unique index place_questions_open on place_questions (user_id) where closed_at is null;
grant delete, insert, select on place_questions to hostdesk_app;
alter table place_questions enable row level security;
alter table place_questions force row level security;
create policy deleted_by_owner on place_questions for delete using (actor_owns(user_id));
create policy inserted_by_owner on place_questions for insert with check (actor_owns(user_id));
create policy readable on place_questions for select using (true);
create policy updated_by_owner on place_questions for update using (actor_owns(user_id)) with check (actor_owns(user_id));

create table vat_id_checks (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  vat_id text not null,
  -- `format`: only its form was looked at, which begins the asking; `recorded`: an answer of the demo and of tests.
  source text not null,
  verdict text not null,
  asked_at timestamp with time zone default clock_timestamp() not null,
  -- Null where no answer came.
  answered_at timestamp with time zone,
  -- Our own VAT id, if it was told.
  requester text default ''::text not null,
  consultation_number text default ''::text not null,
  name text default ''::text not null,
  address text default ''::text not null,
  raw jsonb,
  constraint vat_id_checks_pkey primary key (id),
  constraint vat_id_checks_user_id_fkey foreign key (user_id) references users(id),
  constraint vat_id_checks_address_check check (length(address) <= 1000),
  constraint vat_id_checks_check check ((verdict = 'unverified'::text) = (answered_at is null)),
  constraint vat_id_checks_check1 check (verdict = 'unverified'::text or source <> 'format'::text),
  constraint vat_id_checks_consultation_number_check check (length(consultation_number) <= 60),
  constraint vat_id_checks_name_check check (length(name) <= 1000),
  constraint vat_id_checks_requester_check check (length(requester) <= 40),
  constraint vat_id_checks_source_check check (source = any (array['vies'::text, 'format'::text, 'recorded'::text])),
  constraint vat_id_checks_vat_id_check check (vat_id ~ '^[A-Z]{2}[A-Z0-9+*]{2,28}$'::text),
  constraint vat_id_checks_verdict_check check (verdict = any (array['valid'::text, 'invalid'::text, 'unverified'::text]))
);
create index vat_id_checks_of_id on vat_id_checks (user_id, vat_id, asked_at);
grant insert, select on vat_id_checks to hostdesk_app;
alter table vat_id_checks enable row level security;
alter table vat_id_checks force row level security;
create policy deleted_by_owner on vat_id_checks for delete using (actor_owns(user_id));
create policy inserted_by_owner on vat_id_checks for insert with check (actor_owns(user_id));
create policy readable on vat_id_checks for select using (true);
create policy updated_by_owner on vat_id_checks for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger vat_id_checks_are_append_only before delete or update on vat_id_checks for each row execute function refuse_change();
create trigger vat_id_checks_are_not_truncated before truncate on vat_id_checks for each statement execute function refuse_change();
create trigger vat_id_checks_are_ours before insert on vat_id_checks for each row execute function written_by_system();

create table vat_overrides (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  treatment text not null,
  -- The VAT id that it was decided for; '' for any.
  vat_id text not null,
  reason text not null,
  -- A member of staff; null for the command line.
  by uuid,
  valid_until timestamp with time zone,
  -- Written with the account locked: in the order of the commits.
  at timestamp with time zone default clock_timestamp() not null,
  place text default ''::text not null,
  constraint vat_overrides_pkey primary key (id),
  constraint vat_overrides_by_fkey foreign key (by) references users(id) on delete set null,
  constraint vat_overrides_user_id_fkey foreign key (user_id) references users(id),
  constraint vat_overrides_check check (treatment <> 'business'::text or vat_id <> ''::text),
  constraint vat_overrides_place_check check (place ~ '^([A-Z]{2}(-[A-Z0-9]{1,12})?)?$'::text),
  constraint vat_overrides_place_check1 check ((treatment = any (array['resident'::text, 'elsewhere'::text])) = (place <> ''::text)),
  constraint vat_overrides_reason_check check (length(reason) >= 1 and length(reason) <= 800),
  constraint vat_overrides_treatment_check check (treatment = any (array['automatic'::text, 'business'::text, 'consumer'::text, 'resident'::text, 'elsewhere'::text])),
  constraint vat_overrides_vat_id_check check (vat_id ~ '^([A-Z]{2}[A-Z0-9+*]{2,28})?$'::text)
);
create index vat_overrides_of_user on vat_overrides (user_id, at);
grant insert, select on vat_overrides to hostdesk_app;
alter table vat_overrides enable row level security;
alter table vat_overrides force row level security;
create policy deleted_by_owner on vat_overrides for delete using (actor_owns(user_id));
create policy inserted_by_owner on vat_overrides for insert with check (actor_owns(user_id));
create policy readable on vat_overrides for select using (true);
create policy updated_by_owner on vat_overrides for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger vat_overrides_are_append_only before delete or update on vat_overrides for each row execute function refuse_change();
create trigger vat_overrides_are_not_truncated before truncate on vat_overrides for each statement execute function refuse_change();
create trigger vat_overrides_are_ours before insert on vat_overrides for each row execute function written_by_system();

-- The lines of a document are its net and what a gift has lowered it by; money is credited as money, and gifts as gifts.
create function add_up(invoice bigint)
 returns void
 language plpgsql
as $$
declare
  head invoices;
begin
  select * into head from invoices where id = invoice;
  if (select sum(price) from invoice_lines where invoice_id = invoice) is distinct from head.net + head.allowance then
    raise exception 'the lines of invoice % are not its net', head.number using errcode = 'check_violation';
  end if;
  if exists (
    select from invoices o join invoices c on c.credit_note_of = o.id where o.id = head.credit_note_of group by o.id
    having sum(c.total) > o.total or sum(c.gift) > o.gift or sum(c.allowance) > o.allowance) then
    raise exception 'credit note % gives back more than was paid', head.number using errcode = 'check_violation';
  end if;
  -- Two invoices of one sale must never both be owed.
  if head.kind = 'invoice' and head.version > 1 and not exists (
    select from invoices o
    where o.transaction_id = head.transaction_id and o.kind = 'invoice' and o.version = head.version - 1 and o.user_id = head.user_id
      and (o.total, o.gift) = (select sum(c.total), sum(c.gift) from invoices c where c.credit_note_of = o.id)) then
    raise exception 'invoice % replaces one that is not cancelled', head.number using errcode = 'check_violation';
  end if;
end $$;

-- The net of a sale after its credit notes. A sale is worth its price, paid by money or by a gift.
create function documented_net(customer uuid, sale uuid)
 returns bigint
 language sql
 stable
as $$
  select sum(i.net + i.allowance - coalesce((
    select sum(c.net + c.allowance) from invoices c where c.credit_note_of = i.id and c.user_id = i.user_id), 0))::bigint
  from invoices i where i.transaction_id = sale and i.user_id = customer and i.kind = 'invoice'
$$;

-- The attack is a statement that writes a customer's own row with fields that they chose, such as `valid`.
create function written_by_system()
 returns trigger
 language plpgsql
as $$
begin
  if current_setting('app.actor', true) is distinct from 'system' then
    raise exception '% is written by the system only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
