-- The files of deleted attachments, whose bytes a job removes, whatever deleted them: also the end of a ticket or an account.
create table attachment_leftovers (
  public_id text primary key,
  has_preview boolean not null
);
select allow_app('attachment_leftovers', 'select, delete');

create table canned_replies (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) >= 1 and length(title) <= 200),
  text text not null check (length(text) >= 1 and length(text) <= 40000),
  language text not null check (language in ('en', 'de', 'ru')),
  -- The member who wrote it last; the reply stays when they go.
  author_id uuid references users on delete set null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  version integer not null default 1
);
create index canned_replies_by_title on canned_replies (language, title);
select allow_app('canned_replies', 'select, insert, update, delete');
select protect_rows('canned_replies', 'author_id');

create trigger count_edit before update on canned_replies for each row
  when (old.* is distinct from new.*)
  execute function count_edit();

-- How much each account keeps here, counted by a trigger, whatever writes the rows. What staff attach to a customer's ticket is
-- nobody's: it must not fill the customer's share, and staff answer for years.
create table kept_bytes (
  user_id uuid primary key references users on delete cascade,
  bytes bigint not null check (bytes >= 0),
  -- How much more than STORAGE_PER_CUSTOMER an account may keep.
  extra_bytes bigint not null default 0 check (extra_bytes >= 0)
);
select allow_app('kept_bytes', 'select, insert, update, delete');
select protect_rows('kept_bytes', 'user_id');
-- A file that a helper attaches is the owner's from then on, and counts for the owner.
create policy given_by_helper on kept_bytes for update using (acts_as(user_id))
  with check (acts_as(user_id));

create table tickets (
  id bigint generated always as identity primary key,
  public_id text not null unique check (length(public_id) = 22),
  -- The number that people say on the telephone: #1042. Given by a sequence, so it may have holes.
  number integer not null unique generated always as identity (start with 1001),
  user_id uuid not null references users on delete cascade,
  host_id bigint references hosts,
  -- The id under which the host's pages are reached; kept here, since hosts are another's.
  host_public_id text,
  subject text not null check (length(subject) >= 1 and length(subject) <= 400),
  topic text not null
    check (topic in ('technical', 'finances', 'finances_sales', 'finances_chargeback', 'miscellaneous', 'review')),
  priority text not null default 'medium' check (priority in ('critical', 'high', 'medium', 'low', 'very_low')),
  status text not null default 'opened' check (status in ('opened', 'pending', 'in-progress', 'closed')),
  assignee_id uuid references users on delete set null,
  previous_id bigint references tickets on delete set null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  last_message_at timestamptz not null default date_trunc('milliseconds', now()),
  -- The time from which staff are to answer.
  waiting_since timestamptz,
  -- The time from which the customer is to answer: auto-close counts from here.
  pending_since timestamptz,
  first_reply_at timestamptz,
  closed_at timestamptz,
  -- Numbers of messages are given under this row's lock. Notes leave no hole in what the customer sees.
  staff_seq integer not null default 0,
  customer_seq integer not null default 0,
  client_id uuid,
  -- Stems in three languages, and the words as they are searched whatever their accents.
  search tsvector generated always as (((to_tsvector('english'::regconfig, subject) || to_tsvector('german'::regconfig, subject)) || to_tsvector('russian'::regconfig, subject)) || to_tsvector('simple'::regconfig, searchable(subject))) stored,
  warned_of timestamptz,
  check ((status = 'closed') = (closed_at is not null)),
  check (status <> 'in-progress' or assignee_id is not null),
  unique (user_id, client_id),
  unique (user_id, id)
);
-- A search for a word that stands everywhere goes backward in time until it has found enough; one for a rare word takes the
-- index of words. PostgreSQL decides by what it knows of the word.
create index tickets_by_last_message on tickets (last_message_at);
create index tickets_of_assignee on tickets (assignee_id, status);
create index tickets_of_customer on tickets (user_id, last_message_at, id);
create index tickets_of_host on tickets (host_id) where host_id is not null;
create index tickets_open on tickets (status, user_id) where status <> 'closed';
create index tickets_open_of_assignee on tickets (assignee_id, id, staff_seq) where status <> 'closed';
-- The number of a customer's open tickets, beside each row of the list of customers.
create index tickets_open_of_customer on tickets (user_id) where status <> 'closed';
create index tickets_search on tickets using gin (search);
create index tickets_waiting on tickets (status, coalesce(waiting_since, last_message_at), id, topic, priority, assignee_id);
select allow_app('tickets', 'select, insert, update, delete');
select protect_rows('tickets', 'user_id');

create constraint trigger ticket_of_owner after insert on tickets deferrable initially deferred for each row
  when (new.host_id is not null)
  execute function host_is_owned();

create table attachments (
  id bigint generated always as identity primary key,
  -- 128 random bits; in hex they are the name under which the bytes are kept.
  public_id text not null unique check (public_id ~ '^[\w-]{22}$'),
  -- Whose file it is: who uploaded it, and from the message on the ticket's customer.
  user_id uuid not null references users on delete cascade,
  uploader_id uuid not null,
  ticket_id bigint,
  -- Files of notes are for staff alone.
  note boolean not null default false,
  name text not null check (length(name) >= 1 and length(name) <= 400),
  type text not null,
  size bigint not null check (size > 0),
  sha256 bytea not null check (length(sha256) = 32),
  -- Pixels of the picture that was made anew; null where there is none.
  preview_width integer,
  preview_height integer,
  created_at timestamptz not null default now(),
  check (ticket_id is not null or (user_id = uploader_id and (not note))),
  check ((preview_width is null) = (preview_height is null)),
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade
);
create index attachments_of_ticket on attachments (user_id, ticket_id) where ticket_id is not null;
create index attachments_unused on attachments (uploader_id, created_at) where ticket_id is null;
create index attachments_unused_by_age on attachments (created_at) where ticket_id is null;
select allow_app('attachments', 'select, insert, update, delete');
select protect_rows('attachments', 'user_id');
-- A file that a helper attaches is the owner's from then on, and counts for the owner.
create policy given_by_helper on attachments for update using (ticket_id is null and acts_as(user_id))
  with check (actor_owns(user_id) and ticket_id is not null);

create function count_kept_bytes() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.user_id = old.uploader_id then
    update kept_bytes set bytes = bytes - old.size where user_id = old.user_id;
  end if;
  if tg_op <> 'DELETE' and new.user_id = new.uploader_id then
    insert into kept_bytes (user_id, bytes) values (new.user_id, new.size)
      on conflict (user_id) do update set bytes = kept_bytes.bytes + new.size;
  end if;
  return null;
end $$;
create trigger attachments_count_bytes after insert or delete or update of user_id on attachments
  for each row execute function count_kept_bytes();

create function leave_attachment() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into attachment_leftovers (public_id, has_preview) values (old.public_id, old.preview_width is not null);
  return old;
end $$;
create trigger attachments_leave_bytes after delete on attachments for each row execute function leave_attachment();

-- New tickets of the last while: the first ones are mailed to staff at once, the others together.
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

create table ticket_mails (
  ticket_id bigint primary key,
  user_id uuid not null,
  seq integer not null,
  -- The newest reply, in the customer's count.
  reply_seq integer not null default 0,
  -- The time from which something waits to be mailed.
  first_unmailed_at timestamptz,
  due_at timestamptz,
  -- Forgotten when the customer has read.
  last_mailed_at timestamptz,
  check ((due_at is null) = (first_unmailed_at is null)),
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade
);
create index ticket_mails_due on ticket_mails (due_at) where due_at is not null;
select allow_app('ticket_mails', 'select, insert, update, delete');
select protect_rows('ticket_mails', 'user_id');

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
  -- Stems in three languages, and the words as they are searched whatever their accents: as many as fit where letters become many.
  search tsvector generated always as (((to_tsvector('english'::regconfig, text) || to_tsvector('german'::regconfig, text)) || to_tsvector('russian'::regconfig, text)) || to_tsvector('simple'::regconfig, left(searchable(text), 100000))) stored,
  check ((kind = 'note') = (customer_seq is null)),
  check (kind <> 'note' or by_staff),
  check ((kind = 'event') = (event is not null)),
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade,
  primary key (ticket_id, seq),
  unique (ticket_id, customer_seq)
);
create index ticket_messages_by_time on ticket_messages (created_at);
-- The same client_id is the same message, however often it is sent.
create unique index ticket_messages_once on ticket_messages (ticket_id, author_id, client_id);
create index ticket_messages_search on ticket_messages using gin (search);
select allow_app('ticket_messages', 'select, insert, delete');
select protect_rows('ticket_messages', 'user_id');

create trigger ticket_messages_stay_as_said before update on ticket_messages for each row execute function refuse_change();

-- How far somebody has read: the customer in the customer's numbers, staff in staff's.
create table ticket_readers (
  ticket_id bigint not null references tickets on delete cascade,
  user_id uuid not null references users on delete cascade,
  seq integer not null,
  read_at timestamptz not null default now(),
  -- Helpers have read marks of their own, in the count of the customer's side.
  is_helper boolean not null default false,
  primary key (ticket_id, user_id)
);
select allow_app('ticket_readers', 'select, insert, update, delete');
select protect_rows('ticket_readers', 'user_id');
create policy marked_by_helper on ticket_readers for insert
  with check (acts_as(user_id) and is_helper);
create policy moved_by_helper on ticket_readers for update using (acts_as(user_id))
  with check (acts_as(user_id) and is_helper);

-- The tickets of deleted accounts that a hold keeps: they are erased when it has ended.
create table tickets_to_erase (
  ticket_id bigint primary key,
  user_id uuid not null,
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade
);
select allow_app('tickets_to_erase', 'select, insert');
select protect_rows('tickets_to_erase', 'user_id');
