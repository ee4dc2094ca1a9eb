-- The tables of features/books with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Files of the books that staff asked for: made by a job, kept for some days in the storage, and recorded for good with what was in
-- them.
create table book_exports (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  first_day date not null,
  last_day date not null,
  made_by uuid,
  locale text not null,
  state text default 'waiting'::text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  -- The key in the storage, until the file is removed.
  key text,
  name text,
  rows bigint,
  bytes bigint,
  sha256 bytea,
  -- True if the file came to the sums of the ledger; null where nothing is compared.
  agrees boolean,
  failure text,
  constraint book_exports_pkey primary key (id),
  constraint book_exports_made_by_fkey foreign key (made_by) references users(id) on delete set null,
  constraint book_exports_bytes_check check (bytes >= 0),
  constraint book_exports_check check (last_day >= first_day),
  constraint book_exports_check1 check ((state = 'ready'::text) = (key is not null)),
  constraint book_exports_check2 check ((state = any (array['ready'::text, 'removed'::text])) = (sha256 is not null)),
  constraint book_exports_check3 check ((state = 'failed'::text) = (failure is not null)),
  constraint book_exports_kind_check check (kind = any (array['datev'::text, 'vat'::text, 'invoices'::text, 'transactions'::text, 'documents'::text, 'audit'::text])),
  constraint book_exports_locale_check check (locale = any (array['en'::text, 'de'::text, 'ru'::text])),
  constraint book_exports_rows_check check (rows >= 0),
  constraint book_exports_sha256_check check (length(sha256) = 32),
  constraint book_exports_state_check check (state = any (array['waiting'::text, 'ready'::text, 'failed'::text, 'removed'::text]))
);
create index book_exports_by_maker on book_exports (made_by);
create index book_exports_by_time on book_exports (created_at, id);
create unique index book_exports_made_once on book_exports (kind, first_day, last_day, locale) where state = 'waiting'::text;
grant insert, select, update on book_exports to hostdesk_app;
alter table book_exports enable row level security;
alter table book_exports force row level security;
create policy deleted_by_owner on book_exports for delete using (actor_owns(made_by));
create policy inserted_by_owner on book_exports for insert with check (actor_owns(made_by));
create policy readable on book_exports for select using (true);
create policy updated_by_owner on book_exports for update using (actor_owns(made_by)) with check (actor_owns(made_by));
