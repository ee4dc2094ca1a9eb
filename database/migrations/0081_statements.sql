-- Signed statements of accounts: a document for each month, chained and signed (docs/decisions/203). The tables of the ledger stay as they are.

-- The keys that sign. A public key stays for good, because what it signed is kept for years; the private one goes when another key signs.
create table statement_keys (
  kid text primary key check (length(kid) = 43),
  public_key text not null check (length(public_key) = 43),
  private_key text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  retired_at timestamptz,
  withdrawn_at timestamptz,
  check ((private_key is null) = (retired_at is not null)),
  check (withdrawn_at is null or retired_at is not null)
);
create unique index statement_keys_one_signs on statement_keys ((true)) where retired_at is null;
select allow_app('statement_keys', 'select, insert, update (private_key, retired_at, withdrawn_at)');

-- A month is begun once, with the span that it covers, and sealed once all its statements are written: then it has a root.
create table statement_months (
  month text primary key check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  since timestamptz not null,
  until timestamptz not null check (until > since),
  begun_at timestamptz not null default date_trunc('milliseconds', now()),
  root text check (root ~ '^[0-9a-f]{64}$'),
  kid text references statement_keys,
  signature text check (signature ~ '^[0-9a-f]{128}$'),
  check ((root is null) = (kid is null) and (root is null) = (signature is null))
);
select allow_app('statement_months', 'select, insert, update (root, kid, signature)');

create table statements (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  month text not null references statement_months,
  -- The numbers of the first and the last transaction in it, among those of the account.
  first_seq bigint not null,
  last_seq bigint not null,
  -- The statement in canonical form, to the byte, and its hash.
  body text not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  -- The way from the hash to the root of the month (hashes with blanks between them), and the signature of all three; none until the month is sealed.
  proof text not null default '' check (proof ~ '^([0-9a-f]{64}( [0-9a-f]{64})*)?$'),
  kid text references statement_keys,
  signature text check (signature ~ '^[0-9a-f]{128}$'),
  check (last_seq >= first_seq),
  check ((kid is null) = (signature is null)),
  unique (user_id, month),
  unique (user_id, first_seq),
  unique (id, user_id)
);
create index statements_of_month on statements (month, id);
select allow_app('statements', 'select, insert, update (proof, kid, signature), delete');
select protect_rows('statements', 'user_id');

-- A statement that is signed can be deleted with its account, and never changed.
create function keep_statement() returns trigger language plpgsql as $$
begin
  raise exception 'a signed statement cannot be changed' using errcode = '23514';
end $$;
create trigger statements_stay before update on statements for each row
  when (old.signature is not null) execute function keep_statement();

-- The PDF, drawn and signed when it is first asked for: the first that was stored stays.
create table statement_files (
  statement_id bigint primary key,
  user_id uuid not null,
  content bytea not null,
  made_at timestamptz not null default now(),
  foreign key (statement_id, user_id) references statements (id, user_id) on delete cascade
);
create index statement_files_of_user on statement_files (user_id);
select allow_app('statement_files', 'select, insert');
select protect_rows('statement_files', 'user_id');
