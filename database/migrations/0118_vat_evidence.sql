-- What authorities said about the VAT ids of customers, and what staff decided instead (docs/decisions/082). Owned by features/invoices.
-- Both are evidence of the VAT on invoices: rows are added and never changed.

-- The attack is a statement that writes a customer's own row with fields that they chose, such as `valid`.
create function written_by_system() returns trigger language plpgsql as $$
begin
  if current_setting('app.actor', true) is distinct from 'system' then
    raise exception '% is written by the system only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

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
create trigger vat_id_checks_are_ours before insert on vat_id_checks
  for each row execute function written_by_system();
create trigger vat_id_checks_are_append_only before update or delete on vat_id_checks
  for each row execute function refuse_change();
create trigger vat_id_checks_are_not_truncated before truncate on vat_id_checks
  for each statement execute function refuse_change();
select allow_app('vat_id_checks', 'select, insert');
select protect_rows('vat_id_checks', 'user_id');

create table vat_overrides (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  treatment text not null check (treatment in ('automatic', 'business', 'consumer')),
  -- The VAT id that it was decided for; '' for any.
  vat_id text not null check (vat_id ~ '^([A-Z]{2}[A-Z0-9+*]{2,28})?$'),
  reason text not null check (length(reason) between 1 and 800),
  -- A member of staff; null for the command line.
  by uuid references users on delete set null,
  valid_until timestamptz,
  -- Written with the account locked: in the order of the commits.
  at timestamptz not null default clock_timestamp(),
  check (treatment <> 'business' or vat_id <> '')
);
create index vat_overrides_of_user on vat_overrides (user_id, at);
create trigger vat_overrides_are_ours before insert on vat_overrides
  for each row execute function written_by_system();
create trigger vat_overrides_are_append_only before update or delete on vat_overrides
  for each row execute function refuse_change();
create trigger vat_overrides_are_not_truncated before truncate on vat_overrides
  for each statement execute function refuse_change();
select allow_app('vat_overrides', 'select, insert');
select protect_rows('vat_overrides', 'user_id');
