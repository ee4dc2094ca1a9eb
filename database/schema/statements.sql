-- The tables of features/statements with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- The PDF, drawn and signed when it is first asked for: the first that was stored stays.
create table statement_files (
  statement_id bigint not null,
  user_id uuid not null,
  content bytea not null,
  made_at timestamp with time zone default now() not null,
  constraint statement_files_pkey primary key (statement_id),
  constraint statement_files_statement_id_user_id_fkey foreign key (statement_id, user_id) references statements(id, user_id) on delete cascade
);
create index statement_files_of_user on statement_files (user_id);
grant insert, select on statement_files to hostdesk_app;
alter table statement_files enable row level security;
alter table statement_files force row level security;
create policy deleted_by_owner on statement_files for delete using (actor_owns(user_id));
create policy inserted_by_owner on statement_files for insert with check (actor_owns(user_id));
create policy readable on statement_files for select using (true);
create policy updated_by_owner on statement_files for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The keys that sign. A public key stays for good, because what it signed is kept for years; the private one goes when another key signs.
create table statement_keys (
  kid text not null,
  public_key text not null,
  private_key text,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  retired_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint statement_keys_pkey primary key (kid),
  constraint statement_keys_check check ((private_key is null) = (retired_at is not null)),
  constraint statement_keys_check1 check (withdrawn_at is null or retired_at is not null),
  constraint statement_keys_kid_check check (length(kid) = 43),
  constraint statement_keys_public_key_check check (length(public_key) = 43)
);
create unique index statement_keys_one_signs on statement_keys ((true)) where retired_at is null;
grant insert, select on statement_keys to hostdesk_app;

-- A month is begun once, with the span that it covers, and sealed once all its statements are written: then it has a root.
create table statement_months (
  month text not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  begun_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  root text,
  kid text,
  signature text,
  constraint statement_months_pkey primary key (month),
  constraint statement_months_kid_fkey foreign key (kid) references statement_keys(kid),
  constraint statement_months_check check (until > since),
  constraint statement_months_check1 check ((root is null) = (kid is null) and (root is null) = (signature is null)),
  constraint statement_months_month_check check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'::text),
  constraint statement_months_root_check check (root ~ '^[0-9a-f]{64}$'::text),
  constraint statement_months_signature_check check (signature ~ '^[0-9a-f]{128}$'::text)
);
grant insert, select on statement_months to hostdesk_app;

create table statements (
  id bigint generated always as identity not null,
  user_id uuid not null,
  month text not null,
  -- The numbers of the first and the last transaction in it, among those of the account.
  first_seq bigint not null,
  last_seq bigint not null,
  -- The statement in canonical form, to the byte, and its hash.
  body text not null,
  hash text not null,
  -- The way from the hash to the root of the month (hashes with blanks between them), and the signature of all three; none until the month is sealed.
  proof text default ''::text not null,
  kid text,
  signature text,
  constraint statements_pkey primary key (id),
  constraint statements_id_user_id_key unique (id, user_id),
  constraint statements_user_id_first_seq_key unique (user_id, first_seq),
  constraint statements_user_id_month_key unique (user_id, month),
  constraint statements_kid_fkey foreign key (kid) references statement_keys(kid),
  constraint statements_month_fkey foreign key (month) references statement_months(month),
  constraint statements_user_id_fkey foreign key (user_id) references users(id),
  constraint statements_check check (last_seq >= first_seq),
  constraint statements_check1 check ((kid is null) = (signature is null)),
  constraint statements_hash_check check (hash ~ '^[0-9a-f]{64}$'::text),
  constraint statements_proof_check check (proof ~ '^([0-9a-f]{64}( [0-9a-f]{64})*)?$'::text),
  constraint statements_signature_check check (signature ~ '^[0-9a-f]{128}$'::text)
);
create index statements_of_month on statements (month, id);
grant delete, insert, select on statements to hostdesk_app;
alter table statements enable row level security;
alter table statements force row level security;
create policy deleted_by_owner on statements for delete using (actor_owns(user_id));
create policy inserted_by_owner on statements for insert with check (actor_owns(user_id));
create policy readable on statements for select using (true);
create policy updated_by_owner on statements for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger statements_stay before update on statements for each row when (old.signature is not null) execute function keep_statement();

-- A statement that is signed can be deleted with its account, and never changed.
create function keep_statement()
 returns trigger
 language plpgsql
as $$
begin
  raise exception 'a signed statement cannot be changed' using errcode = '23514';
end $$;
