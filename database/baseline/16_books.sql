-- Files of the books that staff asked for: made by a job, kept for some days in the storage, and recorded for good with what was in
-- them.
create table book_exports (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('datev', 'vat', 'invoices', 'transactions', 'documents', 'audit')),
  first_day date not null,
  last_day date not null,
  made_by uuid references users on delete set null,
  locale text not null check (locale in ('en', 'de', 'ru')),
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'failed', 'removed')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  -- The key in the storage, until the file is removed.
  key text,
  name text,
  rows bigint check (rows >= 0),
  bytes bigint check (bytes >= 0),
  sha256 bytea check (length(sha256) = 32),
  -- True if the file came to the sums of the ledger; null where nothing is compared.
  agrees boolean,
  failure text,
  check (last_day >= first_day),
  check ((state = 'ready') = (key is not null)),
  check ((state in ('ready', 'removed')) = (sha256 is not null)),
  check ((state = 'failed') = (failure is not null))
);
create index book_exports_by_maker on book_exports (made_by);
create index book_exports_by_time on book_exports (created_at, id);
-- One file for all who ask for the same while it is made.
create unique index book_exports_made_once on book_exports (kind, first_day, last_day, locale) where state = 'waiting';
select allow_app('book_exports', 'select, insert, update');
select protect_rows('book_exports', 'made_by');
