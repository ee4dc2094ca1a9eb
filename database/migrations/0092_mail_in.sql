-- Answers by mail (docs/decisions/209): the addresses that mails of tickets carry, the mails that came in, and the mails that came back.

-- Each address takes the answers of one person in one ticket. Its letters hold the id and a proof (features/support/mail/server/address.ts).
create table reply_addresses (
  id bigint generated always as identity primary key check (id < 1099511627776),
  ticket_id bigint not null references tickets on delete cascade,
  -- The customer of the ticket, or a helper.
  user_id uuid not null references users on delete cascade,
  issued_at timestamptz not null default now(),
  -- When a mail carried it last.
  carried_at timestamptz not null default now(),
  -- It was ended before its time: the person's primary address changed.
  ended_at timestamptz
);
create index reply_addresses_of_person on reply_addresses (user_id, ticket_id, issued_at);
create index reply_addresses_of_ticket on reply_addresses (ticket_id);
select allow_app('reply_addresses', 'select, insert, update (carried_at, ended_at), delete');
select protect_rows('reply_addresses', 'user_id');

-- A mail is stored before it is acknowledged, and judged afterwards. The same mail on two ways is one.
create table received_mails (
  id uuid primary key default gen_random_uuid(),
  digest bytea not null unique check (length(digest) = 32),
  way text not null check (way in ('imap', 'pipe')),
  -- The recipient that the mail server names beside the mail; null where it names none.
  recipient text check (length(recipient) <= 400),
  received_at timestamptz not null default date_trunc('milliseconds', now()),
  state text not null default 'new' check (state in ('new', 'posted', 'held', 'dropped', 'discarded')),
  reason text,
  -- The mail, to the byte, as long as it may be needed.
  content bytea,
  from_address text check (length(from_address) <= 400),
  from_name text check (length(from_name) <= 400),
  subject text check (length(subject) <= 400),
  -- The whole text of the mail, and the answer alone.
  whole_text text,
  answer text,
  file_names text[] not null default '{}',
  -- The account whose proven address sent it; for the answer of somebody else the person whose address was answered.
  user_id uuid references users on delete cascade,
  address_id bigint references reply_addresses on delete set null,
  -- The ticket that it was written to, or in which it is now, and there the number of its message in the count of staff.
  ticket_id bigint references tickets on delete cascade,
  message_seq integer,
  decided_at timestamptz,
  decided_by uuid references users on delete set null,
  check ((state = 'new') = (decided_at is null)),
  check (state not in ('new', 'held') or content is not null)
);
create index received_mails_by_age on received_mails (received_at);
create index received_mails_held on received_mails (received_at, id) where state = 'held';
create index received_mails_from on received_mails (from_address, received_at);
create index received_mails_of_ticket on received_mails (ticket_id, message_seq) where ticket_id is not null;
create index received_mails_of_user on received_mails (user_id) where user_id is not null;
create index received_mails_of_address on received_mails (address_id, received_at) where address_id is not null;
select allow_app('received_mails', 'select, insert, update, delete');
select protect_rows('received_mails', 'user_id');

-- Senders whose mails are dropped.
create table blocked_senders (
  address text primary key check (length(address) <= 400),
  blocked_at timestamptz not null default now(),
  blocked_by uuid references users on delete set null
);
select allow_app('blocked_senders', 'select, insert, delete');

-- The mails about messages that went out, to know of what came back what it was about.
create table ticket_mails_sent (
  mail_id uuid primary key,
  ticket_id bigint not null references tickets on delete cascade,
  user_id uuid not null references users on delete cascade,
  address_id bigint references reply_addresses on delete set null,
  to_address text not null,
  -- The last message that it quotes, in the count of the customer.
  seq integer not null,
  sent_at timestamptz not null default now(),
  returned_at timestamptz,
  reason text
);
create index ticket_mails_sent_of_ticket on ticket_mails_sent (ticket_id);
create index ticket_mails_sent_of_user on ticket_mails_sent (user_id);
create index ticket_mails_sent_of_address on ticket_mails_sent (address_id);
select allow_app('ticket_mails_sent', 'select, insert, update (returned_at, reason), delete');
select protect_rows('ticket_mails_sent', 'user_id');

-- Addresses to which no mail goes but those about security, because a mail came back from there.
create table suspended_addresses (
  address text primary key check (length(address) <= 400),
  user_id uuid not null references users on delete cascade,
  suspended_at timestamptz not null default now(),
  reason text not null check (length(reason) <= 500)
);
create index suspended_addresses_of_user on suspended_addresses (user_id);
select allow_app('suspended_addresses', 'select, insert, update, delete');
select protect_rows('suspended_addresses', 'user_id');
