-- Bank statements and their payments. Owned by features/banking.

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
  imported_at timestamptz not null default now()
);
create index bank_files_by_time on bank_files (imported_at, id);

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
  cause text check (cause in ('amount_differs', 'paid_before', 'several_references', 'near_reference', 'known_payer', 'return')),
  check ((match = 'ambiguous') = (cause is not null)),
  top_up text references top_ups (public_id),
  user_id uuid references users on delete set null,
  state text not null default 'open' check (state in ('open', 'booked', 'ignored')),
  -- How often it was booked: the name of its payment event.
  bookings integer not null default 0,
  transaction_id uuid references transactions,
  unique (account_iban, key, nth)
);
create index bank_lines_in_order on bank_lines (state, match, booked_on, id);
create index bank_lines_by_payer on bank_lines (iban, booked_on) where state = 'booked';
create index bank_lines_of_top_up on bank_lines (top_up) where top_up is not null;
create index bank_lines_of_file on bank_lines (file_id);
create index bank_lines_of_user on bank_lines (user_id) where user_id is not null;

-- The columns that the bank sent never change; those that say how a payment was booked may.
create function keep_bank_line() returns trigger language plpgsql as $$
begin
  if (new.id, new.file_id, new.account_iban, new.booked_on, new.amount, new.currency, new.name, new.iban, new.text, new.end_to_end,
      new.key, new.nth)
    is distinct from (old.id, old.file_id, old.account_iban, old.booked_on, old.amount, old.currency, old.name, old.iban, old.text,
      old.end_to_end, old.key, old.nth) then
    raise exception 'what the bank sent does not change' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_bank_line before update on bank_lines for each row execute function keep_bank_line();
create trigger refuse_delete before delete on bank_lines for each row execute function refuse_change();
create trigger refuse_delete before delete on bank_files for each row execute function refuse_change();

select allow_app('bank_files', 'select, insert');
select allow_app('bank_lines', 'select, insert, update');
select protect_rows('bank_files', 'imported_by');
select protect_rows('bank_lines', 'user_id');
