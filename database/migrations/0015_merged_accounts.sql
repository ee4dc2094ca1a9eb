-- Accounts that became one: what went to the account that stays, so that it can go back for some days.
create table account_merges (
  id uuid primary key default gen_random_uuid(),
  -- The account that is merged, and is locked from then on.
  user_id uuid not null references users,
  -- The account that stays.
  into_id uuid not null references users,
  reason text not null check (length(reason) >= 1 and length(reason) <= 800),
  merged_at timestamptz not null default clock_timestamp(),
  host_ids bigint[] not null,
  ticket_ids bigint[] not null,
  -- The bookings that moved the balance, by features/finance.
  money jsonb not null,
  undone_at timestamptz,
  check (user_id <> into_id)
);
create unique index account_merges_open on account_merges (user_id) where undone_at is null;
create index account_merges_into on account_merges (into_id) where undone_at is null;
select allow_app('account_merges', 'select, insert, update (undone_at)');
select protect_rows('account_merges', 'user_id');

-- A merge waits as a reset does: every address is mailed a link that stops it.
alter table factor_resets add column merge_into uuid references users on delete cascade;

-- Accounts whose documents another account reads beside its own. The documents stay with the buyer whom they name.
create table invoice_readers (
  user_id uuid primary key references users,
  reader_id uuid not null references users,
  check (user_id <> reader_id)
);
create index invoice_readers_of_reader on invoice_readers (reader_id);
select allow_app('invoice_readers', 'select, insert, delete');
select protect_rows('invoice_readers', 'user_id');

-- A message stays as it was said; only the ticket's customer, who owns the row, may change, with the ticket.
drop trigger ticket_messages_stay_as_said on ticket_messages;
create trigger ticket_messages_stay_as_said before update on ticket_messages for each row
  when ((old.ticket_id, old.seq, old.customer_seq, old.author_id, old.by_staff, old.kind, old.client_id, old.text, old.event, old.attachments, old.created_at)
    is distinct from (new.ticket_id, new.seq, new.customer_seq, new.author_id, new.by_staff, new.kind, new.client_id, new.text, new.event, new.attachments, new.created_at))
  execute function refuse_change();

-- Gives tickets to another account with all that refers to their owner, by one statement, at whose end the keys are checked.
create function give_tickets(tickets_given bigint[], new_owner uuid) returns void language sql security definer
  set search_path = public, pg_temp as $$
  with marks as (
    insert into ticket_readers (ticket_id, user_id, seq, read_at)
      select r.ticket_id, new_owner, r.seq, r.read_at from ticket_readers r join tickets t on t.id = r.ticket_id and t.user_id = r.user_id
      where t.id = any(tickets_given)
      on conflict (ticket_id, user_id) do update set seq = greatest(ticket_readers.seq, excluded.seq), is_helper = false),
  said as (update ticket_messages set user_id = new_owner where ticket_id = any(tickets_given)),
  files as (update attachments set user_id = new_owner where ticket_id = any(tickets_given)),
  mails as (update ticket_mails set user_id = new_owner where ticket_id = any(tickets_given)),
  news as (update new_ticket_mails set user_id = new_owner where ticket_id = any(tickets_given))
  update tickets t set user_id = new_owner, client_id = case when exists (
      select from tickets o where o.user_id = new_owner and o.client_id = t.client_id) then null else t.client_id end
    where t.id = any(tickets_given)
$$;
