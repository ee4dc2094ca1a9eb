-- News that concern a person, as the bell shows them (docs/decisions/221). News of one kind about one thing are one row until it is read.
create table notifications (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('reply', 'mention', 'assigned', 'alert', 'approval', 'payment', 'announcement')),
  -- Such as `ticket:` and its id.
  thing text not null check (length(thing) between 1 and 200),
  -- The page that shows the thing, as a path.
  link text not null check (length(link) <= 300),
  -- The values of its sentence: numbers and names of the reader's own things, never words that somebody wrote.
  facts jsonb not null default '{}',
  count integer not null default 1,
  -- Whole milliseconds, which cursors hold.
  happened_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  read_at timestamptz
);
create unique index notifications_unread on notifications (user_id, kind, thing) where read_at is null;
create index notifications_newest on notifications (user_id, happened_at desc, id desc);
create index notifications_by_age on notifications (happened_at);
select allow_app('notifications', 'select, insert, update, delete');
select protect_rows('notifications', 'user_id');

-- The kinds that a person does not want; without a row the bell shows all, and browsers are told of all but announcements.
create table notification_choices (
  user_id uuid primary key references users on delete cascade,
  silent text[] not null default '{}' check (cardinality(silent) <= 20),
  unpushed text[] not null default '{announcement}' check (cardinality(unpushed) <= 20)
);
select allow_app('notification_choices', 'select, insert, update, delete');
select protect_rows('notification_choices', 'user_id');
