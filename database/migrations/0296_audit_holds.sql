-- While an audit goes on, nothing of its period is erased (docs/decisions/159). Owned by features/operations.
create table audit_holds (
  id integer generated always as identity primary key,
  -- The first and the last day, in the operator's time zone, and the moments at which they begin and end.
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  reason text not null check (length(reason) between 1 and 400),
  begun_at timestamptz not null default now(),
  ended_at timestamptz
);
create index audit_holds_that_stand on audit_holds (starts_at) where ended_at is null;
select allow_app('audit_holds', 'select, insert, update (ended_at)');

-- True if a hold stands over any moment from the first to the last.
create function is_on_hold(first timestamptz, last timestamptz) returns boolean
  language sql stable parallel safe set search_path from current
  return exists (
    select from audit_holds h where h.ended_at is null and h.starts_at <= last and h.ends_at > first);

-- Until when the law wants a document whole. Documents of the one-stop shop are kept for ten years (VAT directive, article 369k); those that
-- were issued before this rule have fewer in keep_until, which never changes.
create function kept_until(keep_until date, vat_kind text, year smallint) returns date
  language sql immutable parallel safe
  return greatest(keep_until, case when vat_kind = 'oss' then make_date(year + 10, 12, 31) end);

create or replace function refuse_change_while_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (
    select kept_until(i.keep_until, i.vat_kind, i.year) < current_date and not is_on_hold(i.issued_at, i.issued_at)
    from invoices i where i.id = old.invoice_id) then
    return old;
  end if;
  raise exception '% belongs to an issued invoice', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- The tickets of deleted accounts that a hold keeps: they are erased when it has ended. Owned by features/support/tickets.
create table tickets_to_erase (
  ticket_id bigint primary key,
  user_id uuid not null,
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade
);
select allow_app('tickets_to_erase', 'select, insert');
select protect_rows('tickets_to_erase', 'user_id');
