-- Agreements of customers: to the operator's terms in a version, and that a service begins at once (docs/decisions/077). Evidence: rows
-- are added and never changed. Owned by features/legal.

-- An account that nobody ever used is removed with its rows; of any other the evidence stays.
create function refuse_change_of_accounts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from users where id = old.user_id) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create table acceptances (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  document text not null check (document in ('terms', 'begin_now')),
  -- Of the terms, as the operator calls it; of a beginning at once the page that was shown about it.
  version text not null check (length(version) between 1 and 2000),
  context text not null check (context in ('sign_up', 'order', 'prompt')),
  order_id uuid references licence_orders,
  at timestamptz not null default clock_timestamp(),
  check (document <> 'begin_now' or order_id is not null)
);
create unique index acceptances_of_terms on acceptances (user_id, version) where document = 'terms';
create unique index acceptances_of_orders on acceptances (order_id) where document = 'begin_now';
create index acceptances_of_user on acceptances (user_id, at);
create trigger acceptances_are_append_only before update or delete on acceptances
  for each row execute function refuse_change_of_accounts();
create trigger acceptances_are_not_truncated before truncate on acceptances
  for each statement execute function refuse_change();
select allow_app('acceptances', 'select, insert');
select protect_rows('acceptances', 'user_id');
