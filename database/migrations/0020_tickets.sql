-- Tickets and what is said in them. Owned by features/tickets.

create table tickets (
  id bigint generated always as identity primary key,
  public_id text not null unique check (length(public_id) = 22),
  -- What people say on the telephone: #1042. Given by a sequence, so it may have holes.
  number integer not null unique generated always as identity (start with 1001),
  user_id uuid not null references users on delete cascade,
  host_id bigint,
  -- The id under which the host's pages are reached; kept here, since hosts are another's.
  host_public_id text,
  subject text not null check (length(subject) between 1 and 400),
  topic text not null check (topic in ('technical', 'finances', 'finances_sales', 'finances_chargeback', 'miscellaneous', 'review')),
  priority text not null default 'medium' check (priority in ('critical', 'high', 'medium', 'low', 'very_low')),
  status text not null default 'opened' check (status in ('opened', 'pending', 'in-progress', 'closed')),
  assignee_id uuid references users on delete set null,
  previous_id bigint references tickets on delete set null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  last_message_at timestamptz not null default date_trunc('milliseconds', now()),
  -- Since when the ball is with staff.
  waiting_since timestamptz,
  -- Since when the ball is with the customer: auto-close counts from here.
  pending_since timestamptz,
  first_reply_at timestamptz,
  closed_at timestamptz,
  -- Numbers of messages are given under this row's lock. Notes leave no hole in what the customer sees.
  staff_seq integer not null default 0,
  customer_seq integer not null default 0,
  client_id uuid,
  search tsvector generated always as (
    to_tsvector('english', subject) || to_tsvector('german', subject) || to_tsvector('russian', subject)) stored,
  unique (user_id, id),
  unique (user_id, client_id),
  check ((status = 'closed') = (closed_at is not null)),
  check (status <> 'in-progress' or assignee_id is not null),
  foreign key (user_id, host_id) references hosts (user_id, id)
);
create index tickets_of_customer on tickets (user_id, last_message_at, id);
create index tickets_waiting on tickets (status, coalesce(waiting_since, last_message_at), id);
create index tickets_of_assignee on tickets (assignee_id, status);
create index tickets_search on tickets using gin (search);
create index tickets_of_host on tickets (host_id) where host_id is not null;
select allow_app('tickets', 'select, insert, update, delete');
select protect_rows('tickets', 'user_id');

create table ticket_messages (
  ticket_id bigint not null,
  -- Counts everything; what staff read by.
  seq integer not null,
  -- Counts what the customer may see; null for notes.
  customer_seq integer,
  -- The ticket's customer, whose row this is.
  user_id uuid not null,
  author_id uuid,
  by_staff boolean not null,
  kind text not null check (kind in ('comment', 'note', 'event')),
  client_id uuid not null default gen_random_uuid(),
  text text not null default '' check (length(text) <= 40000),
  event jsonb,
  attachments jsonb not null default '[]',
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  search tsvector generated always as (
    to_tsvector('english', text) || to_tsvector('german', text) || to_tsvector('russian', text)) stored,
  primary key (ticket_id, seq),
  unique (ticket_id, customer_seq),
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade,
  check ((kind = 'note') = (customer_seq is null)),
  check (kind <> 'note' or by_staff),
  check ((kind = 'event') = (event is not null))
);
-- The same client_id is the same message, however often it is sent.
create unique index ticket_messages_once on ticket_messages (ticket_id, author_id, client_id);
create index ticket_messages_search on ticket_messages using gin (search);
create trigger ticket_messages_stay_as_said before update on ticket_messages for each row execute function refuse_change();
select allow_app('ticket_messages', 'select, insert, delete');
select protect_rows('ticket_messages', 'user_id');

-- How far somebody has read: the customer in the customer's numbers, staff in staff's.
create table ticket_readers (
  ticket_id bigint not null references tickets on delete cascade,
  user_id uuid not null references users on delete cascade,
  seq integer not null,
  read_at timestamptz not null default now(),
  primary key (ticket_id, user_id)
);
select allow_app('ticket_readers', 'select, insert, update, delete');
select protect_rows('ticket_readers', 'user_id');
