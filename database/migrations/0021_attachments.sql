-- Files that go with messages. Owned by features/chat.

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
  name text not null check (length(name) between 1 and 400),
  type text not null,
  size bigint not null check (size > 0),
  sha256 bytea not null check (length(sha256) = 32),
  -- Pixels of the picture that was made anew; null where there is none.
  preview_width integer,
  preview_height integer,
  created_at timestamptz not null default now(),
  foreign key (user_id, ticket_id) references tickets (user_id, id) on delete cascade,
  check (ticket_id is not null or (user_id = uploader_id and not note)),
  check ((preview_width is null) = (preview_height is null))
);
create index attachments_unused on attachments (uploader_id, created_at) where ticket_id is null;
create index attachments_unused_by_age on attachments (created_at) where ticket_id is null;
create index attachments_of_ticket on attachments (user_id, ticket_id) where ticket_id is not null;
select allow_app('attachments', 'select, insert, update, delete');
select protect_rows('attachments', 'user_id');

-- Whatever deletes a row, a ticket's end or an account's too, leaves the bytes to a job, which finds their names here.
create table attachment_leftovers (
  public_id text primary key,
  has_preview boolean not null
);
select allow_app('attachment_leftovers', 'select, delete');

create function leave_attachment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into attachment_leftovers (public_id, has_preview) values (old.public_id, old.preview_width is not null);
  return old;
end $$;
create trigger attachments_leave_bytes after delete on attachments for each row execute function leave_attachment();
