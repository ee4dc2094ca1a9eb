create table bank_files (
  id uuid primary key default gen_random_uuid(),
  sha256 bytea not null unique,
  account_iban text not null,
  statement_id text not null,
  opened_on date,
  closed_on date,
  opening bigint,
  closing bigint,
  currency text not null,
  imported_by uuid references users on delete set null,
  imported_at timestamptz not null default now(),
  -- The form of the statement.
  kind text not null check (kind in ('camt.052', 'camt.053', 'camt.054', 'csv')),
  -- The number of the page, of a statement that the bank sends in pages.
  page integer
);
create index bank_files_by_time on bank_files (imported_at, id);
select allow_app('bank_files', 'select, insert');
select protect_rows('bank_files', 'imported_by');

create trigger refuse_delete before delete on bank_files for each row execute function refuse_change();

create table bank_lines (
  id uuid primary key default gen_random_uuid(),
  file_id uuid not null references bank_files,
  account_iban text not null,
  booked_on date not null,
  -- Minor units, negative where the money left.
  amount bigint not null check (amount <> 0),
  currency text not null,
  name text not null,
  iban text not null,
  text text not null,
  end_to_end text not null,
  -- The key tells payments apart; nth numbers equal ones within a statement.
  key bytea not null,
  nth integer not null,
  match text not null check (match in ('exact', 'ambiguous', 'unknown')),
  cause text check (cause in ('amount_differs', 'paid_before', 'several_references', 'near_reference', 'known_payer', 'return', 'duplicate', 'batch_not_split', 'came_in_parts')),
  top_up text references top_ups (public_id),
  user_id uuid references users on delete set null,
  state text not null default 'open' check (state in ('open', 'booked', 'ignored')),
  -- How often it was booked: the name of its payment event.
  bookings integer not null default 0,
  transaction_id uuid references transactions,
  -- Its line in the statement.
  place integer not null check (place > 0),
  -- An earlier payment that this one probably repeats.
  same_as uuid references bank_lines,
  -- The bank's reference of the entry; empty if it says nothing.
  bank_ref text not null default '',
  -- The amount of the whole entry, of a payment that is a part of a batch.
  batch_amount bigint,
  check ((match = 'ambiguous') = (cause is not null)),
  unique (account_iban, key, nth)
);
-- The payments of a day, to find one that comes again in another form.
create index bank_lines_by_day on bank_lines (account_iban, booked_on, amount);
create index bank_lines_by_payer on bank_lines (iban, booked_on) where state = 'booked';
-- Payments are found by a part of their name, account or text, as customers are, instead of reading all of a state.
create index bank_lines_by_search_part on bank_lines using gin (search_parts_of(((((name || ' ') || iban) || ' ') || text)));
-- The list of payments by state, the newest first, whatever they match: booked ones are nearly all of them.
create index bank_lines_by_state on bank_lines (state, booked_on, id);
create index bank_lines_in_order on bank_lines (state, match, booked_on, id);
create index bank_lines_of_batch on bank_lines (account_iban, booked_on, batch_amount) where batch_amount is not null;
create index bank_lines_of_file on bank_lines (file_id);
create index bank_lines_of_top_up on bank_lines (top_up) where top_up is not null;
create index bank_lines_of_user on bank_lines (user_id) where user_id is not null;
select allow_app('bank_lines', 'select, insert, update');
select protect_rows('bank_lines', 'user_id');

-- The columns that the bank sent never change; those that say how a payment was booked may.
create function keep_bank_line() returns trigger language plpgsql as $$
begin
  if (new.id, new.file_id, new.account_iban, new.booked_on, new.amount, new.currency, new.name, new.iban, new.text, new.end_to_end,
      new.key, new.nth, new.bank_ref, new.batch_amount)
    is distinct from (old.id, old.file_id, old.account_iban, old.booked_on, old.amount, old.currency, old.name, old.iban, old.text,
      old.end_to_end, old.key, old.nth, old.bank_ref, old.batch_amount) then
    raise exception 'what the bank sent does not change' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_bank_line before update on bank_lines for each row execute function keep_bank_line();

create trigger refuse_delete before delete on bank_lines for each row execute function refuse_change();

create table bank_odd_parts (
  id uuid primary key default gen_random_uuid(),
  -- The file, and its name as it was sent.
  sha256 bytea not null,
  file_name text not null,
  kind text not null check (kind in ('entry', 'row', 'statement', 'file')),
  reason text not null check (reason ~ '^[a-z_]{1,60}$'),
  source text not null,
  place integer,
  shown text not null,
  -- The key tells odd parts apart: a part that several files have is on the list once.
  key bytea not null unique,
  -- In whole milliseconds, as the list names its places.
  noticed_at timestamptz not null default date_trunc('milliseconds', now()),
  state text not null default 'open' check (state in ('open', 'done')),
  done_by uuid references users on delete set null,
  done_at timestamptz,
  check ((state = 'done') = (done_at is not null))
);
create index bank_odd_parts_by_time on bank_odd_parts (state, noticed_at, id);
select allow_app('bank_odd_parts', 'select, insert, update');
select protect_rows('bank_odd_parts', 'done_by');

create trigger refuse_delete before delete on bank_odd_parts for each row execute function refuse_change();

create table bank_originals (
  id uuid primary key default gen_random_uuid(),
  sha256 bytea not null,
  name text not null,
  -- Packed with gzip.
  content bytea not null,
  -- How the bank writes its CSV, of a file that is CSV.
  form jsonb,
  kept_by uuid references users on delete set null,
  kept_at timestamptz not null default now(),
  unique nulls not distinct (sha256, form)
);
create index bank_originals_by_time on bank_originals (kept_at, id);
select allow_app('bank_originals', 'select, insert');
select protect_rows('bank_originals', 'kept_by');

create trigger refuse_delete before delete on bank_originals for each row execute function refuse_change();

-- How banks write their CSV statements, as staff described it once.
create table bank_profiles (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (length(name) >= 1 and length(name) <= 400),
  form jsonb not null,
  made_by uuid references users on delete set null,
  created_at timestamptz not null default now()
);
select allow_app('bank_profiles', 'select, insert, delete');
select protect_rows('bank_profiles', 'made_by');

-- True for two accounts with a payment from, or back to, one bank account: a fact that suggests that both are one person.
create function share_iban(one uuid, other uuid) returns boolean language sql stable as $$
  select exists (
    select from bank_lines a join bank_lines b on b.iban = a.iban
    where a.user_id = one and b.user_id = other and a.state = 'booked' and b.state = 'booked' and a.iban <> '')
$$;
