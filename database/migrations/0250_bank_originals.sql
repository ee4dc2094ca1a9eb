-- The files of banks, as they came, and the parts that could not be read with certainty. Owned by features/banking.

alter table bank_files
  -- The form of the statement; null for those of before it was kept.
  add column kind text check (kind in ('camt.052', 'camt.053', 'camt.054', 'csv')),
  -- The number of the page, of a statement that the bank sends in pages.
  add column page integer;

alter table bank_lines
  -- The bank's reference of the entry; empty if it says nothing.
  add column bank_ref text not null default '',
  -- The amount of the whole entry, of a payment that is a part of a batch.
  add column batch_amount bigint,
  drop constraint bank_lines_cause_check,
  add constraint bank_lines_cause_check check (cause in (
    'amount_differs', 'paid_before', 'several_references', 'near_reference', 'known_payer', 'return', 'duplicate', 'batch_not_split',
    'came_in_parts')) not valid;

create or replace function keep_bank_line() returns trigger language plpgsql as $$
begin
  if (new.id, new.file_id, new.account_iban, new.booked_on, new.amount, new.currency, new.name, new.iban, new.text, new.end_to_end,
      new.key, new.nth, new.bank_ref, new.batch_amount)
    is distinct from (old.id, old.file_id, old.account_iban, old.booked_on, old.amount, old.currency, old.name, old.iban, old.text,
      old.end_to_end, old.key, old.nth, old.bank_ref, old.batch_amount) then
    raise exception 'what the bank sent does not change' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

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

create trigger refuse_delete before delete on bank_originals for each row execute function refuse_change();
create trigger refuse_delete before delete on bank_odd_parts for each row execute function refuse_change();

select allow_app('bank_originals', 'select, insert');
select allow_app('bank_odd_parts', 'select, insert, update');
select protect_rows('bank_originals', 'kept_by');
select protect_rows('bank_odd_parts', 'done_by');
