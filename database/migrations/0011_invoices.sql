-- Invoices and credit notes. Owned by features/invoices.

-- The last number of each year. Its row is locked from the taking of a number until the commit, so that a rollback gives the
-- number back: a sequence would leave a gap (rule 13).
create table invoice_counters (
  year smallint primary key,
  last_number bigint not null check (last_number > 0)
);
select allow_app('invoice_counters', 'select, insert, update');

-- What the books need, kept for good: nothing in it tells who somebody was.
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
  total bigint not null check (total = net + vat),
  vat_kind text not null check (vat_kind in ('standard', 'oss', 'reverse_charge', 'outside_eu')),
  vat_country text not null check (vat_country ~ '^[A-Z]{2}$'),
  -- In basis points: 1900 is 19 %.
  vat_rate_bp bigint not null check (vat_rate_bp between 0 and 9999),
  -- Until when the law wants it whole; then the snapshot and the documents go.
  keep_until date not null,
  unique (year, place),
  unique (user_id, id),
  -- The owner is part of the reference: nobody's credit note points at somebody else's invoice (rule 3).
  foreign key (user_id, credit_note_of) references invoices (user_id, id),
  check ((kind = 'credit_note') = (credit_note_of is not null)),
  check (vat_kind in ('standard', 'oss') or (vat_rate_bp = 0 and vat = 0))
);
create index invoices_of_user on invoices (user_id, id);
create index credit_notes_of_invoice on invoices (credit_note_of) where credit_note_of is not null;
-- What paid an invoice pays no other, and money given back has one credit note, whatever is tried again.
create unique index one_invoice_a_transaction on invoices (transaction_id);
create index invoices_by_end_of_keeping on invoices (keep_until, id);
select allow_app('invoices', 'select, insert');
select protect_rows('invoices', 'user_id');

-- Who sold to whom, as it was on that day. Deleting an account does not touch it; keep_until ends it.
create table invoice_snapshots (
  invoice_id bigint primary key,
  user_id uuid not null,
  seller jsonb not null,
  buyer jsonb not null,
  notes jsonb not null,
  -- What decided the VAT, and when.
  evidence jsonb not null,
  foreign key (user_id, invoice_id) references invoices (user_id, id)
);
select allow_app('invoice_snapshots', 'select, insert, delete');
select protect_rows('invoice_snapshots', 'user_id');

create table invoice_lines (
  invoice_id bigint not null,
  place smallint not null,
  user_id uuid not null,
  description jsonb not null,
  quantity bigint not null check (quantity > 0),
  -- Net, of one.
  cost bigint not null check (cost >= 0),
  price bigint not null check (price = quantity * cost),
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  primary key (invoice_id, place),
  foreign key (user_id, invoice_id) references invoices (user_id, id)
);
select allow_app('invoice_lines', 'select, insert, delete');
select protect_rows('invoice_lines', 'user_id');

-- Made once, then only handed out: two downloads are the same bytes.
create table invoice_documents (
  invoice_id bigint not null,
  format text not null check (format in ('pdf', 'xrechnung')),
  user_id uuid not null,
  content bytea not null,
  made_at timestamptz not null default now(),
  primary key (invoice_id, format),
  foreign key (user_id, invoice_id) references invoices (user_id, id)
);
select allow_app('invoice_documents', 'select, insert, delete');
select protect_rows('invoice_documents', 'user_id');

-- The lines of an invoice are its net, and what was given back is at most what was paid, at the commit at the latest.
create function add_up(invoice bigint) returns void language plpgsql as $$
declare
  head invoices;
begin
  select * into head from invoices where id = invoice;
  if (select sum(price) from invoice_lines where invoice_id = invoice) is distinct from head.net then
    raise exception 'the lines of invoice % are not its net', head.number using errcode = 'check_violation';
  end if;
  if head.credit_note_of is not null
     and (select sum(total) from invoices where credit_note_of = head.credit_note_of)
       > (select total from invoices where id = head.credit_note_of) then
    raise exception 'credit note % gives back more than was paid', head.number using errcode = 'check_violation';
  end if;
end $$;
create function invoice_adds_up() returns trigger language plpgsql as $$
begin
  perform add_up(new.id);
  return null;
end $$;
create function line_adds_up() returns trigger language plpgsql as $$
begin
  perform add_up(new.invoice_id);
  return null;
end $$;
create constraint trigger invoices_add_up after insert on invoices
  deferrable initially deferred for each row execute function invoice_adds_up();
-- A line that is added later makes another sum.
create constraint trigger invoice_lines_add_up after insert on invoice_lines
  deferrable initially deferred for each row execute function line_adds_up();

-- Issued is issued: no update and no deletion, even by the owner of the table.
create trigger invoices_never_change before update or delete on invoices
  for each row execute function refuse_change();
create trigger invoices_are_not_truncated before truncate on invoices
  for each statement execute function refuse_change();

-- What tells of a person may go once the law does not want it any more, and may never change.
create function refuse_change_while_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (select keep_until from invoices where id = old.invoice_id) < current_date then
    return old;
  end if;
  raise exception '% belongs to an issued invoice', tg_table_name using errcode = 'insufficient_privilege';
end $$;

do $$
declare
  part text;
begin
  foreach part in array array['invoice_snapshots', 'invoice_lines', 'invoice_documents'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function refuse_change_while_kept()',
      part || '_are_kept', part);
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
      part || '_are_not_truncated', part);
  end loop;
end $$;
