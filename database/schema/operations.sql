-- The tables of features/operations with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- While an audit goes on, nothing of its period is erased (docs/decisions/159).
create table audit_holds (
  id integer generated always as identity not null,
  -- The first and the last day, in the operator's time zone, and the moments at which they begin and end.
  first_day date not null,
  last_day date not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  reason text not null,
  begun_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint audit_holds_pkey primary key (id),
  constraint audit_holds_check check (last_day >= first_day),
  constraint audit_holds_check1 check (ends_at > starts_at),
  constraint audit_holds_reason_check check (length(reason) >= 1 and length(reason) <= 400)
);
create index audit_holds_that_stand on audit_holds (starts_at) where ended_at is null;
grant insert, select on audit_holds to hostdesk_app;

-- The items of the set-up list that this installation does without.
create table setup_waived (
  item text not null,
  waived_at timestamp with time zone default now() not null,
  constraint setup_waived_pkey primary key (item),
  constraint setup_waived_item_check check (item ~ '^[a-z_]{1,40}$'::text)
);
grant delete, insert, select on setup_waived to hostdesk_app;

-- True if a hold stands over any moment from the first to the last.
create function is_on_hold(first timestamp with time zone, last timestamp with time zone)
 returns boolean
 language sql
 stable parallel safe
 set search_path to '$user', 'public'
return (exists (select from audit_holds h where ((h.ended_at is null) and (h.starts_at <= is_on_hold.last) and (h.ends_at > is_on_hold.first))));

-- Rows that tell of a person may go once the law does not want them any more, and may never change.
create function refuse_change_while_kept()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op = 'DELETE' and (
    select i.keep_until < current_date and not is_on_hold(i.issued_at, i.issued_at)
    from invoices i where i.id = old.invoice_id) then
    return old;
  end if;
  raise exception '% belongs to an issued invoice', tg_table_name using errcode = 'insufficient_privilege';
end $$;
