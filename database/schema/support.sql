-- The tables of features/support with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Acts on several tickets that their author may still undo: of each ticket the fields that changed, before and after. A ticket that somebody
-- else has changed since is left alone. Rows go after an hour.
create table acts_to_undo (
  act_id uuid not null,
  ticket_id bigint not null,
  -- The member of staff who acted.
  staff_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint acts_to_undo_pkey primary key (act_id, ticket_id),
  constraint acts_to_undo_staff_id_fkey foreign key (staff_id) references users(id) on delete cascade,
  constraint acts_to_undo_ticket_id_fkey foreign key (ticket_id) references tickets(id) on delete cascade
);
create index acts_to_undo_by_time on acts_to_undo (created_at);
create index acts_to_undo_of_staff on acts_to_undo (staff_id);
create index acts_to_undo_of_ticket on acts_to_undo (ticket_id);
grant delete, insert, select on acts_to_undo to hostdesk_app;
alter table acts_to_undo enable row level security;
alter table acts_to_undo force row level security;
create policy deleted_by_owner on acts_to_undo for delete using (actor_owns(staff_id));
create policy inserted_by_owner on acts_to_undo for insert with check (actor_owns(staff_id));
create policy readable on acts_to_undo for select using (true);
create policy updated_by_owner on acts_to_undo for update using (actor_owns(staff_id)) with check (actor_owns(staff_id));

-- The calendar of the desk: when it answers, a row that is always there. With no open hours nothing is promised (docs/decisions/219).
create table answer_calendar (
  is_one boolean default true not null,
  zone text default 'UTC'::text not null,
  -- Seven of them, from Monday on: null where the desk is closed, else {"from": "09:00", "to": "17:00"}, of which the last is 24:00.
  hours jsonb default '[null, null, null, null, null, null, null]'::jsonb not null,
  is_open boolean generated always as (hours <> '[null, null, null, null, null, null, null]'::jsonb) stored not null,
  -- The names of the days on which the desk is closed, by the day.
  holidays jsonb default '{}'::jsonb not null,
  version integer default 1 not null,
  changed_at timestamp with time zone default now() not null,
  constraint answer_calendar_pkey primary key (is_one),
  constraint answer_calendar_holidays_check check (jsonb_typeof(holidays) = 'object'::text),
  constraint answer_calendar_hours_check check (jsonb_typeof(hours) = 'array'::text and jsonb_array_length(hours) = 7),
  constraint answer_calendar_is_one_check check (is_one)
);
grant select, update on answer_calendar to hostdesk_app;

-- Within how much open time the first and each next answer is expected. Without an edition it holds for all others; null promises nothing.
create table answer_targets (
  edition text,
  priority text not null,
  first_minutes integer,
  next_minutes integer,
  constraint answer_targets_edition_priority_key unique nulls not distinct (edition, priority),
  constraint answer_targets_edition_fkey foreign key (edition) references editions(slug),
  constraint answer_targets_first_minutes_check check (first_minutes >= 1 and first_minutes <= 43200),
  constraint answer_targets_next_minutes_check check (next_minutes >= 1 and next_minutes <= 43200),
  constraint answer_targets_priority_check check (priority = any (array['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'very_low'::text]))
);
grant delete, insert, select on answer_targets to hostdesk_app;

-- The files of deleted attachments, whose bytes a job removes, whatever deleted them: also the end of a ticket or an account.
create table attachment_leftovers (
  public_id text not null,
  has_preview boolean not null,
  constraint attachment_leftovers_pkey primary key (public_id)
);
grant delete, select on attachment_leftovers to hostdesk_app;

create table attachments (
  id bigint generated always as identity not null,
  -- 128 random bits; in hex they are the name under which the bytes are kept.
  public_id text not null,
  -- Whose file it is: who uploaded it, and from the message on the ticket's customer.
  user_id uuid not null,
  uploader_id uuid not null,
  ticket_id bigint,
  -- Files of notes are for staff alone.
  note boolean default false not null,
  name text not null,
  type text not null,
  size bigint not null,
  sha256 bytea not null,
  -- Pixels of the picture that was made anew; null where there is none.
  preview_width integer,
  preview_height integer,
  created_at timestamp with time zone default now() not null,
  constraint attachments_pkey primary key (id),
  constraint attachments_public_id_key unique (public_id),
  constraint attachments_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint attachments_user_id_ticket_id_fkey foreign key (user_id, ticket_id) references tickets(user_id, id) on delete cascade,
  constraint attachments_check1 check ((preview_width is null) = (preview_height is null)),
  constraint attachments_name_check check (length(name) >= 1 and length(name) <= 400),
  constraint attachments_public_id_check check (public_id ~ '^[\w-]{22}$'::text),
  constraint attachments_sha256_check check (length(sha256) = 32),
  constraint attachments_size_check check (size > 0),
  constraint files_of_no_ticket_are_no_notes check (ticket_id is not null or not note)
);
create index attachments_of_ticket on attachments (user_id, ticket_id) where ticket_id is not null;
create index attachments_unused on attachments (uploader_id, created_at) where ticket_id is null;
create index attachments_unused_by_age on attachments (created_at) where ticket_id is null;
grant delete, insert, select, update on attachments to hostdesk_app;
alter table attachments enable row level security;
alter table attachments force row level security;
create policy deleted_by_owner on attachments for delete using (actor_owns(user_id));
create policy given_by_helper on attachments for update using (ticket_id is null and acts_as(user_id)) with check (actor_owns(user_id) and ticket_id is not null);
create policy inserted_by_owner on attachments for insert with check (actor_owns(user_id));
create policy readable on attachments for select using (true);
create policy updated_by_owner on attachments for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger attachments_count_bytes after insert or delete or update of user_id on attachments for each row execute function count_kept_bytes();
create trigger attachments_leave_bytes after delete on attachments for each row execute function leave_attachment();

-- As before, and files that no message uses yet, whoever uploaded them.
create function count_kept_bytes()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op <> 'INSERT' and (old.user_id = old.uploader_id or old.ticket_id is null) then
    update kept_bytes set bytes = bytes - old.size where user_id = old.user_id;
  end if;
  if tg_op <> 'DELETE' and (new.user_id = new.uploader_id or new.ticket_id is null) then
    insert into kept_bytes (user_id, bytes) values (new.user_id, new.size)
      on conflict (user_id) do update set bytes = kept_bytes.bytes + new.size;
  end if;
  return null;
end $$;

create function leave_attachment()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
begin
  insert into attachment_leftovers (public_id, has_preview) values (old.public_id, old.preview_width is not null);
  return old;
end $$;

-- Senders whose mails are dropped.
create table blocked_senders (
  address text not null,
  blocked_at timestamp with time zone default now() not null,
  blocked_by uuid,
  constraint blocked_senders_pkey primary key (address),
  constraint blocked_senders_blocked_by_fkey foreign key (blocked_by) references users(id) on delete set null,
  constraint blocked_senders_address_check check (length(address) <= 400)
);
grant delete, insert, select on blocked_senders to hostdesk_app;

create table canned_replies (
  id uuid default gen_random_uuid() not null,
  title text not null,
  text text not null,
  language text not null,
  -- The member who wrote it last; the reply stays when they go.
  author_id uuid,
  created_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  -- A canned reply with acts after it is a macro.
  acts jsonb default '{}'::jsonb not null,
  constraint canned_replies_pkey primary key (id),
  constraint canned_replies_author_id_fkey foreign key (author_id) references users(id) on delete set null,
  constraint canned_replies_acts_check check (jsonb_typeof(acts) = 'object'::text),
  constraint canned_replies_language_check check (language = any (array['en'::text, 'de'::text, 'ru'::text])),
  constraint canned_replies_text_check check (length(text) >= 1 and length(text) <= 40000),
  constraint canned_replies_title_check check (length(title) >= 1 and length(title) <= 200)
);
create index canned_replies_by_title on canned_replies (language, title);
grant delete, insert, select, update on canned_replies to hostdesk_app;
alter table canned_replies enable row level security;
alter table canned_replies force row level security;
create policy deleted_by_owner on canned_replies for delete using (actor_owns(author_id));
create policy inserted_by_owner on canned_replies for insert with check (actor_owns(author_id));
create policy readable on canned_replies for select using (true);
create policy updated_by_owner on canned_replies for update using (actor_owns(author_id)) with check (actor_owns(author_id));
create trigger count_edit before update on canned_replies for each row when (old.* is distinct from new.*) execute function count_edit();

-- Until which day a member of staff is away, and what colleagues should know. A day that has passed says nothing any more.
create table desk_absences (
  staff_id uuid not null,
  until date not null,
  note text not null,
  constraint desk_absences_pkey primary key (staff_id),
  constraint desk_absences_staff_id_fkey foreign key (staff_id) references users(id) on delete cascade,
  constraint desk_absences_note_check check (length(note) <= 400)
);
grant delete, insert, select, update on desk_absences to hostdesk_app;
alter table desk_absences enable row level security;
alter table desk_absences force row level security;
create policy deleted_by_owner on desk_absences for delete using (actor_owns(staff_id));
create policy inserted_by_owner on desk_absences for insert with check (actor_owns(staff_id));
create policy readable on desk_absences for select using (true);
create policy updated_by_owner on desk_absences for update using (actor_owns(staff_id)) with check (actor_owns(staff_id));

-- Filters of the staff's list of tickets that somebody gave a name: their own, or for all staff.
create table desk_views (
  id uuid default gen_random_uuid() not null,
  name text not null,
  filter jsonb not null,
  shared boolean not null,
  -- The member who saved it last. Accounts are erased and not deleted, so a view of all staff stays when that member goes.
  author_id uuid not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint desk_views_pkey primary key (id),
  constraint desk_views_author_id_fkey foreign key (author_id) references users(id) on delete cascade,
  constraint desk_views_filter_check check (jsonb_typeof(filter) = 'object'::text),
  constraint desk_views_name_check check (length(name) >= 1 and length(name) <= 120)
);
create index desk_views_of_author on desk_views (author_id);
grant delete, insert, select, update on desk_views to hostdesk_app;
alter table desk_views enable row level security;
alter table desk_views force row level security;
create policy deleted_by_owner on desk_views for delete using (actor_owns(author_id));
create policy inserted_by_owner on desk_views for insert with check (actor_owns(author_id));
create policy readable on desk_views for select using (true);
create policy updated_by_owner on desk_views for update using (actor_owns(author_id)) with check (actor_owns(author_id));
create trigger count_edit before update on desk_views for each row when (old.* is distinct from new.*) execute function count_edit();

-- How much each account keeps here, counted by a trigger, whatever writes the rows. What staff attach to a customer's ticket is
-- nobody's: it must not fill the customer's share, and staff answer for years.
create table kept_bytes (
  user_id uuid not null,
  bytes bigint not null,
  -- How much more than STORAGE_PER_CUSTOMER an account may keep.
  extra_bytes bigint default 0 not null,
  constraint kept_bytes_pkey primary key (user_id),
  constraint kept_bytes_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint kept_bytes_bytes_check check (bytes >= 0),
  constraint kept_bytes_extra_bytes_check check (extra_bytes >= 0)
);
grant delete, insert, select, update on kept_bytes to hostdesk_app;
alter table kept_bytes enable row level security;
alter table kept_bytes force row level security;
create policy deleted_by_owner on kept_bytes for delete using (actor_owns(user_id));
create policy given_by_helper on kept_bytes for update using (acts_as(user_id)) with check (acts_as(user_id));
create policy inserted_by_owner on kept_bytes for insert with check (actor_owns(user_id));
create policy readable on kept_bytes for select using (true);
create policy updated_by_owner on kept_bytes for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- New tickets of the last while: the first ones are mailed to staff at once, the others together.
create table new_ticket_mails (
  ticket_id bigint not null,
  -- The ticket's customer.
  user_id uuid not null,
  opened_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  constraint new_ticket_mails_pkey primary key (ticket_id),
  constraint new_ticket_mails_user_id_ticket_id_fkey foreign key (user_id, ticket_id) references tickets(user_id, id) on delete cascade
);
create index new_ticket_mails_by_time on new_ticket_mails (opened_at);
create index new_ticket_mails_waiting on new_ticket_mails (opened_at) where mailed_at is null;
grant delete, insert, select, update on new_ticket_mails to hostdesk_app;
alter table new_ticket_mails enable row level security;
alter table new_ticket_mails force row level security;
create policy deleted_by_owner on new_ticket_mails for delete using (actor_owns(user_id));
create policy inserted_by_owner on new_ticket_mails for insert with check (actor_owns(user_id));
create policy readable on new_ticket_mails for select using (true);
create policy updated_by_owner on new_ticket_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- A mail is stored before it is acknowledged, and judged afterwards. The same mail on two ways is one.
create table received_mails (
  id uuid default gen_random_uuid() not null,
  digest bytea not null,
  way text not null,
  -- The recipient that the mail server names beside the mail; null where it names none.
  recipient text,
  received_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  state text default 'new'::text not null,
  reason text,
  -- The mail, to the byte, as long as it may be needed.
  content bytea,
  from_address text,
  from_name text,
  subject text,
  -- The whole text of the mail, and the answer alone.
  whole_text text,
  answer text,
  file_names text[] default '{}'::text[] not null,
  -- The account whose proven address sent it; for the answer of somebody else the person whose address was answered.
  user_id uuid,
  address_id bigint,
  -- The ticket that it was written to, or in which it is now, and there the number of its message in the count of staff.
  ticket_id bigint,
  message_seq integer,
  decided_at timestamp with time zone,
  decided_by uuid,
  constraint received_mails_pkey primary key (id),
  constraint received_mails_digest_key unique (digest),
  constraint received_mails_address_id_fkey foreign key (address_id) references reply_addresses(id) on delete set null,
  constraint received_mails_decided_by_fkey foreign key (decided_by) references users(id) on delete set null,
  constraint received_mails_ticket_id_fkey foreign key (ticket_id) references tickets(id) on delete cascade,
  constraint received_mails_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint received_mails_check check ((state = 'new'::text) = (decided_at is null)),
  constraint received_mails_check1 check ((state <> all (array['new'::text, 'held'::text])) or content is not null),
  constraint received_mails_digest_check check (length(digest) = 32),
  constraint received_mails_from_address_check check (length(from_address) <= 400),
  constraint received_mails_from_name_check check (length(from_name) <= 400),
  constraint received_mails_recipient_check check (length(recipient) <= 400),
  constraint received_mails_state_check check (state = any (array['new'::text, 'posted'::text, 'held'::text, 'dropped'::text, 'discarded'::text])),
  constraint received_mails_subject_check check (length(subject) <= 400),
  constraint received_mails_way_check check (way = any (array['imap'::text, 'pipe'::text]))
);
create index received_mails_by_age on received_mails (received_at);
create index received_mails_from on received_mails (from_address, received_at);
create index received_mails_held on received_mails (received_at, id) where state = 'held'::text;
create index received_mails_of_address on received_mails (address_id, received_at) where address_id is not null;
create index received_mails_of_ticket on received_mails (ticket_id, message_seq) where ticket_id is not null;
create index received_mails_of_user on received_mails (user_id) where user_id is not null;
grant delete, insert, select, update on received_mails to hostdesk_app;
alter table received_mails enable row level security;
alter table received_mails force row level security;
create policy deleted_by_owner on received_mails for delete using (actor_owns(user_id));
create policy inserted_by_owner on received_mails for insert with check (actor_owns(user_id));
create policy readable on received_mails for select using (true);
create policy updated_by_owner on received_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Each address takes the answers of one person in one ticket. Its letters hold the id and a proof (features/support/mail/server/address.ts).
create table reply_addresses (
  id bigint generated always as identity not null,
  ticket_id bigint not null,
  -- The customer of the ticket, or a helper.
  user_id uuid not null,
  issued_at timestamp with time zone default now() not null,
  -- When a mail carried it last.
  carried_at timestamp with time zone default now() not null,
  -- It was ended before its time: the person's primary address changed.
  ended_at timestamp with time zone,
  constraint reply_addresses_pkey primary key (id),
  constraint reply_addresses_ticket_id_fkey foreign key (ticket_id) references tickets(id) on delete cascade,
  constraint reply_addresses_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint reply_addresses_id_check check (id < '1099511627776'::bigint)
);
create index reply_addresses_of_person on reply_addresses (user_id, ticket_id, issued_at);
create index reply_addresses_of_ticket on reply_addresses (ticket_id);
grant delete, insert, select on reply_addresses to hostdesk_app;
alter table reply_addresses enable row level security;
alter table reply_addresses force row level security;
create policy deleted_by_owner on reply_addresses for delete using (actor_owns(user_id));
create policy inserted_by_owner on reply_addresses for insert with check (actor_owns(user_id));
create policy readable on reply_addresses for select using (true);
create policy updated_by_owner on reply_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Addresses to which no mail goes but those about security, because a mail came back from there.
create table suspended_addresses (
  address text not null,
  user_id uuid not null,
  suspended_at timestamp with time zone default now() not null,
  reason text not null,
  constraint suspended_addresses_pkey primary key (address),
  constraint suspended_addresses_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint suspended_addresses_address_check check (length(address) <= 400),
  constraint suspended_addresses_reason_check check (length(reason) <= 500)
);
create index suspended_addresses_of_user on suspended_addresses (user_id);
grant delete, insert, select, update on suspended_addresses to hostdesk_app;
alter table suspended_addresses enable row level security;
alter table suspended_addresses force row level security;
create policy deleted_by_owner on suspended_addresses for delete using (actor_owns(user_id));
create policy inserted_by_owner on suspended_addresses for insert with check (actor_owns(user_id));
create policy readable on suspended_addresses for select using (true);
create policy updated_by_owner on suspended_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));

create table ticket_mails (
  ticket_id bigint not null,
  user_id uuid not null,
  seq integer not null,
  -- The newest reply, in the customer's count.
  reply_seq integer default 0 not null,
  -- The time from which something waits to be mailed.
  first_unmailed_at timestamp with time zone,
  due_at timestamp with time zone,
  -- Forgotten when the customer has read.
  last_mailed_at timestamp with time zone,
  constraint ticket_mails_pkey primary key (ticket_id),
  constraint ticket_mails_user_id_ticket_id_fkey foreign key (user_id, ticket_id) references tickets(user_id, id) on delete cascade,
  constraint ticket_mails_check check ((due_at is null) = (first_unmailed_at is null))
);
create index ticket_mails_due on ticket_mails (due_at) where due_at is not null;
grant delete, insert, select, update on ticket_mails to hostdesk_app;
alter table ticket_mails enable row level security;
alter table ticket_mails force row level security;
create policy deleted_by_owner on ticket_mails for delete using (actor_owns(user_id));
create policy inserted_by_owner on ticket_mails for insert with check (actor_owns(user_id));
create policy readable on ticket_mails for select using (true);
create policy updated_by_owner on ticket_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The mails about messages that went out, to know of what came back what it was about.
create table ticket_mails_sent (
  mail_id uuid not null,
  ticket_id bigint not null,
  user_id uuid not null,
  address_id bigint,
  to_address text not null,
  -- The last message that it quotes, in the count of the customer.
  seq integer not null,
  sent_at timestamp with time zone default now() not null,
  returned_at timestamp with time zone,
  reason text,
  constraint ticket_mails_sent_pkey primary key (mail_id),
  constraint ticket_mails_sent_address_id_fkey foreign key (address_id) references reply_addresses(id) on delete set null,
  constraint ticket_mails_sent_ticket_id_fkey foreign key (ticket_id) references tickets(id) on delete cascade,
  constraint ticket_mails_sent_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index ticket_mails_sent_of_address on ticket_mails_sent (address_id);
create index ticket_mails_sent_of_ticket on ticket_mails_sent (ticket_id);
create index ticket_mails_sent_of_user on ticket_mails_sent (user_id);
grant delete, insert, select on ticket_mails_sent to hostdesk_app;
alter table ticket_mails_sent enable row level security;
alter table ticket_mails_sent force row level security;
create policy deleted_by_owner on ticket_mails_sent for delete using (actor_owns(user_id));
create policy inserted_by_owner on ticket_mails_sent for insert with check (actor_owns(user_id));
create policy readable on ticket_mails_sent for select using (true);
create policy updated_by_owner on ticket_mails_sent for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Both tickets as they were: an undoing needs that.
create table ticket_merges (
  ticket_id bigint not null,
  user_id uuid not null,
  into_id bigint not null,
  merged_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- The columns of the ticket that closed, as they were.
  before jsonb not null,
  -- The columns of the ticket that goes on, as they were and as they became; it goes back only where nothing changed it since.
  into_before jsonb not null,
  into_after jsonb not null,
  constraint ticket_merges_pkey primary key (ticket_id),
  constraint ticket_merges_user_id_ticket_id_fkey foreign key (user_id, ticket_id) references tickets(user_id, id) on update cascade on delete cascade
);
create index ticket_merges_into on ticket_merges (into_id);
grant delete, insert, select on ticket_merges to hostdesk_app;
alter table ticket_merges enable row level security;
alter table ticket_merges force row level security;
create policy deleted_by_owner on ticket_merges for delete using (actor_owns(user_id));
create policy inserted_by_owner on ticket_merges for insert with check (actor_owns(user_id));
create policy readable on ticket_merges for select using (true);
create policy updated_by_owner on ticket_merges for update using (actor_owns(user_id)) with check (actor_owns(user_id));

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
  kind text not null,
  client_id uuid default gen_random_uuid() not null,
  text text default ''::text not null,
  event jsonb,
  attachments jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- Stems in three languages, and the words as they are searched whatever their accents: as many as fit where letters become many.
  search tsvector generated always as (((to_tsvector('english'::regconfig, text) || to_tsvector('german'::regconfig, text)) || to_tsvector('russian'::regconfig, text)) || to_tsvector('simple'::regconfig, "left"(searchable(text), 100000))) stored,
  -- Messages that came as a mail say so.
  by_mail boolean default false not null,
  redacted jsonb,
  moved jsonb,
  secret_id uuid,
  constraint ticket_messages_pkey primary key (ticket_id, seq),
  constraint ticket_messages_ticket_id_customer_seq_key unique (ticket_id, customer_seq),
  constraint ticket_messages_user_id_ticket_id_fkey foreign key (user_id, ticket_id) references tickets(user_id, id) on delete cascade,
  constraint ticket_messages_check check ((kind = 'note'::text) = (customer_seq is null)),
  constraint ticket_messages_check1 check (kind <> 'note'::text or by_staff),
  constraint ticket_messages_check2 check ((kind = 'event'::text) = (event is not null)),
  constraint ticket_messages_kind_check check (kind = any (array['comment'::text, 'note'::text, 'event'::text])),
  constraint ticket_messages_text_check check (length(text) <= 40000)
);
create index ticket_messages_by_time on ticket_messages (created_at);
create unique index ticket_messages_once on ticket_messages (ticket_id, author_id, client_id);
create index ticket_messages_search on ticket_messages using gin (search);
grant delete, insert, select on ticket_messages to hostdesk_app;
alter table ticket_messages enable row level security;
alter table ticket_messages force row level security;
create policy deleted_by_owner on ticket_messages for delete using (actor_owns(user_id));
create policy inserted_by_owner on ticket_messages for insert with check (actor_owns(user_id));
create policy readable on ticket_messages for select using (true);
create policy updated_by_owner on ticket_messages for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger ticket_messages_stay_as_said before update on ticket_messages for each row when (old.ticket_id is distinct from new.ticket_id or old.seq is distinct from new.seq or old.customer_seq is distinct from new.customer_seq or old.author_id is distinct from new.author_id or old.by_staff is distinct from new.by_staff or old.kind is distinct from new.kind or old.client_id is distinct from new.client_id or old.text is distinct from new.text or old.event is distinct from new.event or old.attachments is distinct from new.attachments or old.created_at is distinct from new.created_at or old.redacted is distinct from new.redacted or old.moved is distinct from new.moved) execute function keep_message();

-- A message stays as it was said: it may lose content, and never gets another.
create function keep_message()
 returns trigger
 language plpgsql
as $$
begin
  if (old.ticket_id, old.seq, old.customer_seq, old.author_id, old.by_staff, old.client_id, old.created_at)
      is distinct from (new.ticket_id, new.seq, new.customer_seq, new.author_id, new.by_staff, new.client_id, new.created_at)
    or (new.redacted, new.moved) is not distinct from (old.redacted, old.moved)
    or (new.text is distinct from old.text and new.text <> '')
    or not old.attachments @> new.attachments
    or ((new.kind, new.event) is distinct from (old.kind, old.event) and (new.moved is null or old.kind <> 'comment' or new.kind <> 'event'))
  then
    raise exception 'ticket_messages is append-only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- How a customer, or a helper, found the answers to a closed ticket. A later one counts instead of an earlier one, which stays.
create table ticket_ratings (
  id bigint generated always as identity not null,
  ticket_id bigint not null,
  user_id uuid not null,
  face text not null,
  word text default ''::text not null,
  rated_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  constraint ticket_ratings_pkey primary key (id),
  constraint ticket_ratings_ticket_id_fkey foreign key (ticket_id) references tickets(id) on delete cascade,
  constraint ticket_ratings_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint ticket_ratings_face_check check (face = any (array['good'::text, 'fair'::text, 'poor'::text])),
  constraint ticket_ratings_word_check check (length(word) <= 2000)
);
create index ticket_ratings_by_time on ticket_ratings (rated_at);
create index ticket_ratings_of_ticket on ticket_ratings (ticket_id, id);
create index ticket_ratings_of_user on ticket_ratings (user_id);
grant insert, select on ticket_ratings to hostdesk_app;
alter table ticket_ratings enable row level security;
alter table ticket_ratings force row level security;
create policy deleted_by_owner on ticket_ratings for delete using (actor_owns(user_id));
create policy inserted_by_owner on ticket_ratings for insert with check (actor_owns(user_id));
create policy rated_by_helper on ticket_ratings for insert with check (acts_as(user_id));
create policy readable on ticket_ratings for select using (true);
create policy updated_by_owner on ticket_ratings for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- How far somebody has read: the customer in the customer's numbers, staff in staff's.
create table ticket_readers (
  ticket_id bigint not null,
  user_id uuid not null,
  seq integer not null,
  read_at timestamp with time zone default now() not null,
  -- Helpers have read marks of their own, in the count of the customer's side.
  is_helper boolean default false not null,
  constraint ticket_readers_pkey primary key (ticket_id, user_id),
  constraint ticket_readers_ticket_id_fkey foreign key (ticket_id) references tickets(id) on delete cascade
);
grant delete, insert, select, update on ticket_readers to hostdesk_app;
alter table ticket_readers enable row level security;
alter table ticket_readers force row level security;
create policy deleted_by_owner on ticket_readers for delete using (actor_owns(user_id));
create policy inserted_by_owner on ticket_readers for insert with check (actor_owns(user_id));
create policy marked_by_helper on ticket_readers for insert with check (acts_as(user_id) and is_helper);
create policy moved_by_helper on ticket_readers for update using (acts_as(user_id)) with check (acts_as(user_id) and is_helper);
create policy readable on ticket_readers for select using (true);
create policy updated_by_owner on ticket_readers for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Parts of messages that the other side opens once (docs/decisions/217). The message names its secret; the text is sealed by SECRET_KEY,
-- and null from the moment at which it was opened or wiped.
create table ticket_secrets (
  id uuid not null,
  ticket_id bigint not null,
  user_id uuid not null,
  by_staff boolean not null,
  sealed text,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp with time zone default date_trunc('milliseconds'::text, now()) + '30 days'::interval not null,
  opened_at timestamp with time zone,
  opened_by uuid,
  wiped_at timestamp with time zone,
  constraint ticket_secrets_pkey primary key (id),
  constraint ticket_secrets_user_id_ticket_id_fkey foreign key (user_id, ticket_id) references tickets(user_id, id) on update cascade on delete cascade,
  constraint ticket_secrets_check check ((opened_at is null) = (opened_by is null)),
  constraint ticket_secrets_check1 check (opened_at is null or wiped_at is null),
  constraint ticket_secrets_check2 check ((sealed is null) = (opened_at is not null or wiped_at is not null))
);
create index ticket_secrets_due on ticket_secrets (expires_at) where sealed is not null;
create index ticket_secrets_of_ticket on ticket_secrets (ticket_id) where sealed is not null;
grant delete, insert, select on ticket_secrets to hostdesk_app;
alter table ticket_secrets enable row level security;
alter table ticket_secrets force row level security;
create policy deleted_by_owner on ticket_secrets for delete using (actor_owns(user_id));
create policy inserted_by_owner on ticket_secrets for insert with check (actor_owns(user_id));
create policy readable on ticket_secrets for select using (true);
create policy updated_by_owner on ticket_secrets for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The tags that were ever given, for the suggestions while somebody types one.
create table ticket_tags (
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint ticket_tags_pkey primary key (name),
  constraint ticket_tags_name_check check (length(name) >= 1 and length(name) <= 40)
);
grant delete, insert, select on ticket_tags to hostdesk_app;

create table tickets (
  id bigint generated always as identity not null,
  public_id text not null,
  -- The number that people say on the telephone: #1042. Given by a sequence, so it may have holes.
  number integer generated always as identity not null,
  user_id uuid not null,
  host_id bigint,
  -- The id under which the host's pages are reached; kept here, since hosts are another's.
  host_public_id text,
  subject text not null,
  topic text not null,
  priority text default 'medium'::text not null,
  status text default 'opened'::text not null,
  assignee_id uuid,
  previous_id bigint,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  last_message_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  -- The time from which staff are to answer.
  waiting_since timestamp with time zone,
  -- The time from which the customer is to answer: auto-close counts from here.
  pending_since timestamp with time zone,
  first_reply_at timestamp with time zone,
  closed_at timestamp with time zone,
  -- Numbers of messages are given under this row's lock. Notes leave no hole in what the customer sees.
  staff_seq integer default 0 not null,
  customer_seq integer default 0 not null,
  client_id uuid,
  -- Stems in three languages, and the words as they are searched whatever their accents.
  search tsvector generated always as (((to_tsvector('english'::regconfig, subject) || to_tsvector('german'::regconfig, subject)) || to_tsvector('russian'::regconfig, subject)) || to_tsvector('simple'::regconfig, searchable(subject))) stored,
  warned_of timestamp with time zone,
  -- Staff closed the ticket as spam at this time. A ticket that is open again is no spam.
  spam_at timestamp with time zone,
  -- The tags of a ticket, as staff typed them, normalised; and the time from which a ticket sleeps: until `snoozed_until`, or until its
  -- customer answers where that is null.
  tags text[] default '{}'::text[] not null,
  snoozed_at timestamp with time zone,
  snoozed_until timestamp with time zone,
  -- Tickets that were merged into another one of the same customer (docs/decisions/218): they are closed and point there.
  merged_into_id bigint,
  merged_count integer default 0 not null,
  -- The time by which an answer is expected, and the time from which that counts; both null while nobody waits for staff.
  due_at timestamp with time zone,
  due_since timestamp with time zone,
  constraint tickets_pkey primary key (id),
  constraint tickets_number_key unique (number),
  constraint tickets_public_id_key unique (public_id),
  constraint tickets_user_id_client_id_key unique (user_id, client_id),
  constraint tickets_user_id_id_key unique (user_id, id),
  constraint tickets_assignee_id_fkey foreign key (assignee_id) references users(id) on delete set null,
  constraint tickets_host_id_fkey foreign key (host_id) references hosts(id),
  constraint tickets_previous_id_fkey foreign key (previous_id) references tickets(id) on delete set null,
  constraint tickets_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint tickets_check check ((status = 'closed'::text) = (closed_at is not null)),
  constraint tickets_check1 check (status <> 'in-progress'::text or assignee_id is not null),
  constraint tickets_check2 check (coalesce(isfinite(snoozed_at), snoozed_until is null)),
  constraint tickets_priority_check check (priority = any (array['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'very_low'::text])),
  constraint tickets_public_id_check check (length(public_id) = 22),
  constraint tickets_status_check check (status = any (array['opened'::text, 'pending'::text, 'in-progress'::text, 'closed'::text])),
  constraint tickets_subject_check check (length(subject) >= 1 and length(subject) <= 400),
  constraint tickets_tags_check check (cardinality(tags) <= 10),
  constraint tickets_topic_check check (topic = any (array['technical'::text, 'finances'::text, 'finances_sales'::text, 'finances_chargeback'::text, 'miscellaneous'::text, 'review'::text]))
);
create index tickets_awake on tickets (status, user_id) where status <> 'closed'::text and snoozed_at is null;
create index tickets_by_last_message on tickets (last_message_at);
create index tickets_by_tag on tickets using gin (tags) where tags <> '{}'::text[];
create index tickets_due on tickets (due_at, id) where due_at is not null;
create index tickets_of_assignee on tickets (assignee_id, status);
create index tickets_of_customer on tickets (user_id, last_message_at, id);
create index tickets_of_host on tickets (host_id) where host_id is not null;
create index tickets_open on tickets (status, user_id) where status <> 'closed'::text;
create index tickets_open_of_assignee on tickets (assignee_id, id, staff_seq) where status <> 'closed'::text;
create index tickets_open_of_customer on tickets (user_id) where status <> 'closed'::text;
create index tickets_search on tickets using gin (search);
create index tickets_snoozed on tickets (snoozed_at, user_id) where snoozed_at is not null;
create index tickets_turn on tickets (status, (
case
    when status = 'closed'::text then (coalesce(waiting_since, last_message_at) at time zone 'UTC'::text) + '8766000:00:00'::interval
    when waiting_since is null then (coalesce(waiting_since, last_message_at) at time zone 'UTC'::text) + '876600:00:00'::interval
    when due_at is not null then (due_at at time zone 'UTC'::text)
    when priority = 'critical'::text then (coalesce(waiting_since, last_message_at) at time zone 'UTC'::text) + '438276:00:00'::interval
    when priority = 'high'::text then (coalesce(waiting_since, last_message_at) at time zone 'UTC'::text) + '438292:00:00'::interval
    else (coalesce(waiting_since, last_message_at) at time zone 'UTC'::text) + '438300:00:00'::interval
end at time zone 'UTC'::text), id, topic, priority, assignee_id) where status <> 'closed'::text and status <> 'pending'::text and snoozed_at is null;
create index tickets_waiting on tickets (status, coalesce(waiting_since, last_message_at), id, topic, priority, assignee_id);
grant delete, insert, select, update on tickets to hostdesk_app;
alter table tickets enable row level security;
alter table tickets force row level security;
create policy deleted_by_owner on tickets for delete using (actor_owns(user_id));
create policy inserted_by_owner on tickets for insert with check (actor_owns(user_id));
create policy readable on tickets for select using (true);
create policy updated_by_owner on tickets for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger closing_wipes_secrets after update of status on tickets for each row when (new.status = 'closed'::text and old.status <> 'closed'::text and new.merged_into_id is null) execute function wipe_secrets();
create constraint trigger ticket_of_owner after insert on tickets deferrable initially deferred for each row when (new.host_id is not null) execute function host_is_owned();
create trigger tickets_expect_answer before insert or update of status, waiting_since, priority, snoozed_at on tickets for each row execute function expect_answer();

-- Computed here, because messages, states, merged and split tickets all change whose turn it is. The lock is shared with other tickets, and
-- waits for a change of the calendar, so that no ticket keeps the time of an old one.
create function expect_answer()
 returns trigger
 language plpgsql
as $$
begin
  if new.status = 'closed' or new.waiting_since is null or new.snoozed_at is not null then
    new.due_at := null;
    new.due_since := null;
    return new;
  end if;
  if tg_op = 'UPDATE' and old.waiting_since = new.waiting_since then
    if old.due_since is not null and old.priority = new.priority then
      return new;
    end if;
    -- A ticket that sleeps no longer counts from now on.
    new.due_since := case when old.snoozed_at is not null then date_trunc('milliseconds', now())
      else coalesce(old.due_since, new.waiting_since) end;
  else
    new.due_since := new.waiting_since;
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('answer_calendar', 0));
  new.due_at := expected_answer(new.due_since, new.first_reply_at is null, new.priority, new.user_id, new.host_id);
  return new;
end $$;

-- A closed ticket keeps no secret, nor do those that were merged into it, also by way of others. Before, a chain of merges was followed for one
-- step alone, and the secrets behind it stayed until they were 30 days old.
create function wipe_secrets()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
begin
  with recursive ended as (
    select new.id as ticket_id
    union select m.ticket_id from ticket_merges m join ended e on m.into_id = e.ticket_id)
  update ticket_secrets set sealed = null, wiped_at = date_trunc('milliseconds', now())
  where sealed is not null and ticket_id in (select ticket_id from ended);
  return null;
end $$;

-- The tickets of deleted accounts that a hold keeps: they are erased when it has ended.
create table tickets_to_erase (
  ticket_id bigint not null,
  user_id uuid not null,
  constraint tickets_to_erase_pkey primary key (ticket_id),
  constraint tickets_to_erase_user_id_ticket_id_fkey foreign key (user_id, ticket_id) references tickets(user_id, id) on delete cascade
);
grant insert, select on tickets_to_erase to hostdesk_app;
alter table tickets_to_erase enable row level security;
alter table tickets_to_erase force row level security;
create policy deleted_by_owner on tickets_to_erase for delete using (actor_owns(user_id));
create policy inserted_by_owner on tickets_to_erase for insert with check (actor_owns(user_id));
create policy readable on tickets_to_erase for select using (true);
create policy updated_by_owner on tickets_to_erase for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The helper for whom this transaction writes the owner's rows.
create function acts_as(person uuid)
 returns boolean
 language sql
 stable
as $$
  select coalesce(current_setting('app.person', true) = person::text, false)
$$;

-- The time by which an answer is expected to somebody who waits since then; null where none is promised. A ticket about a server counts with
-- the edition that runs there, another one with the largest edition that its customer has.
create function expected_answer(since timestamp with time zone, is_first boolean, urgency text, customer uuid, host bigint)
 returns timestamp with time zone
 language plpgsql
 stable
as $$
declare
  calendar answer_calendar%rowtype;
  paid text;
  target_minutes integer;
begin
  select * into calendar from answer_calendar;
  if not calendar.is_open then
    return null;
  end if;
  if exists (select from answer_targets where edition is not null) then
    select p.edition into paid from hosts h join paid_periods p on p.host_id = h.id join editions e on e.slug = p.edition
      where h.user_id = customer and (host is null or h.id = host)
        and p.starts_at <= since and p.ends_at > since
        and exists (select from answer_targets t where t.edition = p.edition and t.priority = urgency)
      order by e.rank desc, e.slug limit 1;
  end if;
  select case when is_first then t.first_minutes else t.next_minutes end into target_minutes
    from answer_targets t
    where t.priority = urgency and t.edition is not distinct from paid;
  return date_trunc('milliseconds', open_time_after(since, target_minutes, calendar.zone, calendar.hours, calendar.holidays));
end $$;

-- Gives tickets to another account with all that refers to their owner, by one statement, at whose end the keys are checked.
create function give_tickets(tickets_given bigint[], new_owner uuid)
 returns void
 language sql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
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

-- The time at which the desk has been open for so many minutes since then; null where that takes longer than 400 days. An opening that the
-- change of the clocks leaves out, or has twice, begins as PostgreSQL reads it: moved on by the gap, or the second time.
create function open_time_after(since timestamp with time zone, minutes integer, zone text, hours jsonb, holidays jsonb)
 returns timestamp with time zone
 language plpgsql
 stable strict
as $$
declare
  rest_s numeric := minutes * 60;
  today date := (since at time zone zone)::date;
  day date;
  open jsonb;
  begins timestamptz;
  ends timestamptz;
  open_s numeric;
begin
  for place in 0..400 loop
    day := today + place;
    open := hours -> (extract(isodow from day)::integer - 1);
    continue when jsonb_typeof(open) <> 'object' or holidays ? day::text;
    begins := greatest((day + (open ->> 'from')::time) at time zone zone, since);
    ends := (day + (open ->> 'to')::time) at time zone zone;
    open_s := extract(epoch from ends) - extract(epoch from begins);
    continue when open_s <= 0;
    if open_s >= rest_s then
      return begins + make_interval(secs => rest_s::double precision);
    end if;
    rest_s := rest_s - open_s;
  end loop;
  return null;
end $$;

-- Takes the files with these ids out of a message, or with null all of its content.
create function redact_message(of_ticket bigint, of_seq integer, mark jsonb, files text[])
 returns void
 language sql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
  update ticket_messages set redacted = mark,
    text = case when files is null then '' else text end,
    secret_id = case when files is null then null else secret_id end,
    attachments = coalesce((
      select jsonb_agg(file order by place) from jsonb_array_elements(attachments) with ordinality as each (file, place)
      where files is not null and file ->> 'id' <> all (files)), '[]')
  where ticket_id = of_ticket and seq = of_seq
$$;

-- A mail that told of a message goes with it to the new ticket, so that staff see there if it comes back.
create function split_off(of_ticket bigint, from_seq integer, to_ticket bigint, went jsonb)
 returns integer
 language sql
 security definer
 set search_path to 'public', 'pg_temp'
as $$
  with gone as (
    select m.*, t.staff_seq + row_number() over (order by m.seq) as to_seq,
      t.customer_seq + count(*) filter (where m.kind <> 'note') over (order by m.seq) as to_customer_seq
    from ticket_messages m join tickets t on t.id = to_ticket
    where m.ticket_id = of_ticket and m.seq >= from_seq and m.kind in ('comment', 'note') and m.moved is null),
  copied as (
    insert into ticket_messages (ticket_id, seq, customer_seq, user_id, author_id, by_staff, kind, client_id, text, attachments, created_at,
      redacted, secret_id, by_mail)
    select to_ticket, to_seq, case when kind = 'note' then null else to_customer_seq end, user_id, author_id, by_staff, kind, client_id,
      text, attachments, created_at, redacted, secret_id, by_mail
    from gone),
  counted as (
    update tickets set staff_seq = staff_seq + (select count(*) from gone),
      customer_seq = customer_seq + (select count(*) from gone where kind <> 'note')
    where id = to_ticket),
  read as (
    insert into ticket_readers (ticket_id, user_id, seq, read_at, is_helper)
    select to_ticket, r.user_id, coalesce((select max(case when r.is_helper or r.user_id = g.user_id then g.to_customer_seq else g.to_seq end)
        from gone g where case when r.is_helper or r.user_id = g.user_id then g.customer_seq <= r.seq else g.seq <= r.seq end), 0),
      r.read_at, r.is_helper
    from ticket_readers r where r.ticket_id = of_ticket
    on conflict (ticket_id, user_id) do update set seq = greatest(ticket_readers.seq, excluded.seq)),
  files as (
    update attachments set ticket_id = to_ticket
    where public_id in (select file ->> 'id' from gone, jsonb_array_elements(gone.attachments) file)),
  whole_mails as (
    update received_mails r set ticket_id = to_ticket, message_seq = g.to_seq
    from gone g where r.ticket_id = of_ticket and r.message_seq = g.seq),
  mails_sent as (
    update ticket_mails_sent s set ticket_id = to_ticket, seq = g.to_customer_seq
    from gone g where s.ticket_id = of_ticket and g.kind = 'comment' and s.seq = g.customer_seq),
  left_behind as (
    update ticket_messages m set text = '', attachments = '[]', secret_id = null, redacted = null, moved = went,
      kind = case when m.kind = 'comment' then 'event' else m.kind end,
      event = case when m.kind = 'comment' then jsonb_build_object('code', 'moved', 'params', went) end
    where m.ticket_id = of_ticket and m.seq in (select seq from gone))
  select count(*)::integer from gone
$$;
