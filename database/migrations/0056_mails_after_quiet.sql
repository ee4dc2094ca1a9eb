-- When a mail of unread replies is due: after two quiet minutes, ten at the latest, and fifteen after the last one. Owned by
-- features/chat.
alter table ticket_mails
  -- The newest reply, in the customer's count.
  add column reply_seq integer not null default 0,
  -- Since when something waits to be mailed.
  add column first_unmailed_at timestamptz,
  add column due_at timestamptz,
  -- Forgotten when the customer has read.
  add column last_mailed_at timestamptz,
  add check ((due_at is null) = (first_unmailed_at is null));
create index ticket_mails_due on ticket_mails (due_at) where due_at is not null;

-- What the queue of the release before would still have mailed.
select set_config('app.actor', 'system', true);
insert into ticket_mails (ticket_id, user_id, seq, reply_seq, first_unmailed_at, due_at)
  select m.ticket_id, m.user_id, 0, max(m.customer_seq), now(), now() + interval '2 minutes'
  from ticket_messages m
  left join ticket_readers r on r.ticket_id = m.ticket_id and r.user_id = m.user_id
  left join ticket_mails told on told.ticket_id = m.ticket_id
  where m.kind = 'comment' and m.by_staff and m.created_at > now() - interval '1 hour'
    and m.customer_seq > greatest(coalesce(r.seq, 0), coalesce(told.seq, 0))
  group by m.ticket_id, m.user_id
  on conflict (ticket_id) do update
    set reply_seq = excluded.reply_seq, first_unmailed_at = excluded.first_unmailed_at, due_at = excluded.due_at;

-- New tickets of the last while: the first ones are mailed to staff at once, the others together. Owned by features/chat.
create table new_ticket_mails (
  ticket_id bigint primary key,
  -- The ticket's customer.
  user_id uuid not null,
  opened_at timestamptz not null,
  mailed_at timestamptz,
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade
);
create index new_ticket_mails_by_time on new_ticket_mails (opened_at);
create index new_ticket_mails_waiting on new_ticket_mails (opened_at) where mailed_at is null;
select allow_app('new_ticket_mails', 'select, insert, update, delete');
select protect_rows('new_ticket_mails', 'user_id');
