-- How banks write their CSV statements, as staff described it once. Owned by features/banking.
create table bank_profiles (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (length(name) between 1 and 400),
  form jsonb not null,
  made_by uuid references users on delete set null,
  created_at timestamptz not null default now()
);
select allow_app('bank_profiles', 'select, insert, delete');
select protect_rows('bank_profiles', 'made_by');
