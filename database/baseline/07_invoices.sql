create table billing_details (
  user_id uuid primary key references users,
  -- The address to which invoices go besides the account; used once it is proven as an address of the account, '' for the primary one.
  email text not null default '' check (length(email) <= 254),
  buyer_reference text not null default '' check (length(buyer_reference) <= 100),
  order_reference text not null default '' check (length(order_reference) <= 100),
  -- True if the mail carries the documents.
  send_pdf boolean not null default true,
  changed_at timestamptz not null default now()
);
select allow_app('billing_details', 'select, insert, update, delete');
select protect_rows('billing_details', 'user_id');

-- The rates by which documents in another currency state their VAT in that of the seller's state (docs/decisions/148).
create table exchange_rates (
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The units of the currency that one euro is worth.
  per_euro numeric not null check (per_euro > 0),
  -- The publisher, as documents name it.
  source text not null check (length(source) >= 1 and length(source) <= 100),
  taken_at timestamptz not null default now(),
  primary key (day, currency)
);
select allow_app('exchange_rates', 'select, insert');

-- The last number of each year. Its row is locked from the taking of a number until the commit, so that a rollback gives the
-- number back: a sequence would leave a gap (rule 13).
create table invoice_counters (
  year smallint primary key,
  last_number bigint not null check (last_number > 0)
);
select allow_app('invoice_counters', 'select, insert, update');

-- The facts that the books need, kept for good: nothing in it tells who somebody was.
create table invoices (
  id bigint generated always as identity primary key,
  public_id text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  user_id uuid not null references users,
  year smallint not null references invoice_counters,
  place bigint not null check (place > 0),
  number text not null unique,
  kind text not null check (kind in ('invoice', 'credit_note')),
  credit_note_of bigint,
  -- Of finance: what paid the invoice, or gave the money back.
  transaction_id uuid not null,
  -- The server's public id.
  host_id text,
  issued_at timestamptz not null,
  -- The language of the customer at that time, and so of the documents.
  locale text not null check (locale in ('en', 'de', 'ru')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Minor units. Positive on a credit note, too.
  net bigint not null check (net >= 0),
  vat bigint not null check (vat >= 0),
  total bigint not null,
  vat_kind text not null check (vat_kind in ('standard', 'oss', 'reverse_charge', 'outside_eu', 'small_business')),
  vat_country text not null check (vat_country ~ '^[A-Z]{2}$'),
  -- In basis points: 1900 is 19 %.
  vat_rate_bp bigint not null check (vat_rate_bp >= 0 and vat_rate_bp <= 9999),
  -- Until when the law wants it whole (by the one-stop shop for ten years: VAT directive, article 369k); then the snapshot and the documents go.
  keep_until date not null,
  version smallint not null default 1 check (version > 0),
  -- Sales to consumers elsewhere in the EU that are taxed at home, because all of them are few (docs/decisions/148).
  below_threshold boolean not null default false,
  gift bigint not null default 0,
  allowance bigint not null default 0,
  constraint allowance_is_of_the_gift check (allowance >= 0 and allowance <= gift),
  check (total = (net + vat)),
  check ((kind = 'credit_note') = (credit_note_of is not null)),
  check (vat_kind in ('standard', 'oss') or (vat_rate_bp = 0 and vat = 0)),
  constraint only_taxed_at_home_below_the_threshold check ((not below_threshold) or vat_kind in ('standard', 'small_business')),
  foreign key (user_id, credit_note_of) references invoices (user_id, id),
  unique (user_id, id),
  unique (year, place)
);
create index credit_notes_by_time on invoices (issued_at, id) where kind = 'credit_note';
create index credit_notes_of_invoice on invoices (credit_note_of) where credit_note_of is not null;
create index invoices_by_country on invoices (vat_country, issued_at, id);
create index invoices_by_end_of_keeping on invoices (keep_until, id);
-- Lists of all customers' documents, newest first, by any one filter; the first also carries what sums need.
create index invoices_by_time on invoices (issued_at, id) include (kind, vat_kind, vat_country, currency, net, vat, total, keep_until);
create index invoices_by_vat_kind on invoices (vat_kind, issued_at, id);
-- A sale may be invoiced again, each time by another version.
create unique index invoices_by_version on invoices (transaction_id, kind, version);
-- The sales to consumers elsewhere in the EU, which are summed up against the threshold at each sale.
create index invoices_elsewhere on invoices (issued_at) include (kind, vat_kind, currency, net) where vat_kind = 'oss' or below_threshold;
create index invoices_of_user on invoices (user_id, id);
select allow_app('invoices', 'select, insert');
alter table invoices enable row level security;
alter table invoices force row level security;
create policy readable on invoices for select using (true);
create policy inserted_by_owner on invoices for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy updated_by_owner on invoices for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on invoices for delete using (actor_owns(user_id));

-- The lines of a document are its net and what a gift has lowered it by; money is credited as money, and gifts as gifts.
create function add_up(invoice bigint) returns void language plpgsql as $$
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

create function invoice_adds_up() returns trigger language plpgsql as $$
begin
  perform add_up(new.id);
  return null;
end $$;
create constraint trigger invoices_add_up after insert on invoices deferrable initially deferred
  for each row execute function invoice_adds_up();

create trigger invoices_are_not_truncated before truncate on invoices for each statement execute function refuse_change();

-- Issued is issued: no update and no deletion, even by the owner of the table.
create trigger invoices_never_change before delete or update on invoices for each row execute function refuse_change();

-- Made once, then only handed out: two downloads are the same bytes.
create table invoice_documents (
  invoice_id bigint not null,
  format text not null check (format in ('pdf', 'xrechnung')),
  user_id uuid not null,
  content bytea not null,
  made_at timestamptz not null default now(),
  version smallint not null default 1 check (version > 0),
  foreign key (user_id, invoice_id) references invoices (user_id, id),
  primary key (invoice_id, version, format)
);
select allow_app('invoice_documents', 'select, insert, delete');
alter table invoice_documents enable row level security;
alter table invoice_documents force row level security;
create policy readable on invoice_documents for select using (true);
create policy inserted_by_owner on invoice_documents for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy updated_by_owner on invoice_documents for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on invoice_documents for delete using (actor_owns(user_id));

-- Rows that tell of a person may go once the law does not want them any more, and may never change.
create function refuse_change_while_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (
    select i.keep_until < current_date and not is_on_hold(i.issued_at, i.issued_at)
    from invoices i where i.id = old.invoice_id) then
    return old;
  end if;
  raise exception '% belongs to an issued invoice', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger invoice_documents_are_kept before delete or update on invoice_documents
  for each row execute function refuse_change_while_kept();

create trigger invoice_documents_are_not_truncated before truncate on invoice_documents
  for each statement execute function refuse_change();

create table invoice_lines (
  invoice_id bigint not null,
  place smallint not null,
  user_id uuid not null,
  description jsonb not null,
  quantity bigint not null check (quantity > 0),
  -- Net, of one.
  cost bigint not null check (cost >= 0),
  price bigint not null,
  starts_at timestamptz,
  ends_at timestamptz,
  check (price = (quantity * cost)),
  check (ends_at > starts_at),
  foreign key (user_id, invoice_id) references invoices (user_id, id),
  primary key (invoice_id, place)
);
-- Deferred income is read from the lines whose time reaches past a month.
create index invoice_lines_by_end on invoice_lines (ends_at) where ends_at is not null;
select allow_app('invoice_lines', 'select, insert, delete');
alter table invoice_lines enable row level security;
alter table invoice_lines force row level security;
create policy readable on invoice_lines for select using (true);
create policy inserted_by_owner on invoice_lines for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy updated_by_owner on invoice_lines for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on invoice_lines for delete using (actor_owns(user_id));

create function line_adds_up() returns trigger language plpgsql as $$
begin
  perform add_up(new.invoice_id);
  return null;
end $$;
-- A line that is added later makes another sum.
create constraint trigger invoice_lines_add_up after insert on invoice_lines deferrable initially deferred
  for each row execute function line_adds_up();

create trigger invoice_lines_are_kept before delete or update on invoice_lines
  for each row execute function refuse_change_while_kept();

create trigger invoice_lines_are_not_truncated before truncate on invoice_lines
  for each statement execute function refuse_change();

-- The invoices that a mail tells of: one mail for each, whatever is tried again.
create table invoice_mails (
  invoice_id bigint primary key,
  user_id uuid not null,
  foreign key (user_id, invoice_id) references invoices (user_id, id)
);
select allow_app('invoice_mails', 'select, insert');
alter table invoice_mails enable row level security;
alter table invoice_mails force row level security;
create policy readable on invoice_mails for select using (true);
create policy inserted_by_owner on invoice_mails for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy updated_by_owner on invoice_mails for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on invoice_mails for delete using (actor_owns(user_id));

-- Seller and buyer as they were on that day. Deleting an account does not touch it; keep_until ends it.
create table invoice_snapshots (
  invoice_id bigint primary key,
  user_id uuid not null,
  seller jsonb not null,
  buyer jsonb not null,
  notes jsonb not null,
  -- The facts that decided the VAT, and when.
  evidence jsonb not null,
  buyer_reference text not null default '' check (length(buyer_reference) <= 100),
  order_reference text not null default '' check (length(order_reference) <= 100),
  foreign key (user_id, invoice_id) references invoices (user_id, id)
);
select allow_app('invoice_snapshots', 'select, insert, delete');
alter table invoice_snapshots enable row level security;
alter table invoice_snapshots force row level security;
create policy readable on invoice_snapshots for select using (true);
create policy inserted_by_owner on invoice_snapshots for insert
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy updated_by_owner on invoice_snapshots for update using (actor_owns(user_id) or payer_owns(user_id))
  with check (actor_owns(user_id) or payer_owns(user_id));
create policy deleted_by_owner on invoice_snapshots for delete using (actor_owns(user_id));

create trigger invoice_snapshots_are_kept before delete or update on invoice_snapshots
  for each row execute function refuse_change_while_kept();

create trigger invoice_snapshots_are_not_truncated before truncate on invoice_snapshots
  for each statement execute function refuse_change();

-- Notices to staff about the limits of a seller, once a year each.
create table limit_notices (
  name text not null,
  year smallint not null,
  state text not null check (state in ('near', 'passed')),
  told_at timestamptz not null default now(),
  primary key (name, year, state)
);
select allow_app('limit_notices', 'select, insert');

create table place_questions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  -- The code of the place by the address (features/invoices/server/territories.ts): CH, IC, DE-HELGOLAND.
  place text not null check (place ~ '^[A-Z]{2}(-[A-Z0-9]{1,12})?$'),
  opened_at timestamptz not null default date_trunc('milliseconds', now()),
  -- The answer of the customer; '' before it.
  answer text not null default '' check (length(answer) <= 4000),
  answered_at timestamptz,
  -- Set by a decision of staff, or once the facts agree.
  closed_at timestamptz,
  check ((answer = '') = (answered_at is null))
);
create index place_questions_by_age on place_questions (opened_at, id);
create index place_questions_of_user on place_questions (user_id, opened_at);
create unique index place_questions_open on place_questions (user_id) where closed_at is null;
select allow_app('place_questions', 'select, insert, delete, update (place, answer, answered_at, closed_at)');
select protect_rows('place_questions', 'user_id');

create table vat_id_checks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  vat_id text not null check (vat_id ~ '^[A-Z]{2}[A-Z0-9+*]{2,28}$'),
  -- `format`: only its form was looked at, which begins the asking; `recorded`: an answer of the demo and of tests.
  source text not null check (source in ('vies', 'format', 'recorded')),
  verdict text not null check (verdict in ('valid', 'invalid', 'unverified')),
  asked_at timestamptz not null default clock_timestamp(),
  -- Null where no answer came.
  answered_at timestamptz,
  -- Our own VAT id, if it was told.
  requester text not null default '' check (length(requester) <= 40),
  consultation_number text not null default '' check (length(consultation_number) <= 60),
  name text not null default '' check (length(name) <= 1000),
  address text not null default '' check (length(address) <= 1000),
  raw jsonb,
  check ((verdict = 'unverified') = (answered_at is null)),
  check (verdict = 'unverified' or source <> 'format')
);
create index vat_id_checks_of_id on vat_id_checks (user_id, vat_id, asked_at);
select allow_app('vat_id_checks', 'select, insert');
select protect_rows('vat_id_checks', 'user_id');

select append_only('vat_id_checks');

-- The attack is a statement that writes a customer's own row with fields that they chose, such as `valid`.
create function written_by_system() returns trigger language plpgsql as $$
begin
  if current_setting('app.actor', true) is distinct from 'system' then
    raise exception '% is written by the system only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger vat_id_checks_are_ours before insert on vat_id_checks for each row execute function written_by_system();

create table vat_overrides (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  treatment text not null check (treatment in ('automatic', 'business', 'consumer', 'resident', 'elsewhere')),
  -- The VAT id that it was decided for; '' for any.
  vat_id text not null check (vat_id ~ '^([A-Z]{2}[A-Z0-9+*]{2,28})?$'),
  reason text not null check (length(reason) >= 1 and length(reason) <= 800),
  -- A member of staff; null for the command line.
  by uuid references users on delete set null,
  valid_until timestamptz,
  -- Written with the account locked: in the order of the commits.
  at timestamptz not null default clock_timestamp(),
  place text not null default '' check (place ~ '^([A-Z]{2}(-[A-Z0-9]{1,12})?)?$'),
  check (treatment <> 'business' or vat_id <> ''),
  constraint vat_overrides_place_check1 check ((treatment in ('resident', 'elsewhere')) = (place <> ''))
);
create index vat_overrides_of_user on vat_overrides (user_id, at);
select allow_app('vat_overrides', 'select, insert');
select protect_rows('vat_overrides', 'user_id');

select append_only('vat_overrides');

create trigger vat_overrides_are_ours before insert on vat_overrides for each row execute function written_by_system();

-- The facts of documents that the ledger has to know: each with the signs of the operator's side, as its VAT stands there.
create view ledger_documents with (security_invoker) as
select i.id, i.public_id, i.transaction_id, i.user_id, i.currency, i.vat_country as country, i.issued_at,
  case i.kind when 'invoice' then i.vat else -i.vat end as vat,
  case i.kind when 'invoice' then i.total else -i.total end as total, i.kind, i.version,
  case i.kind when 'invoice' then i.gift else -i.gift end as gift
from invoices i;
select allow_app('ledger_documents', 'select');

-- The net of a sale after its credit notes. A sale is worth its price, paid by money or by a gift.
create function documented_net(customer uuid, sale uuid) returns bigint language sql stable as $$
  select sum(i.net + i.allowance - coalesce((
    select sum(c.net + c.allowance) from invoices c where c.credit_note_of = i.id and c.user_id = i.user_id), 0))::bigint
  from invoices i where i.transaction_id = sale and i.user_id = customer and i.kind = 'invoice'
$$;
