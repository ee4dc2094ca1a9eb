-- What happened that concerns a person, as the bell shows it (docs/decisions/221). News of one kind about one thing is one row until it is read.
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

-- Writes what happened for several people, whoever acts: row-level security would refuse the rows of others.
-- `is_pushed` is true for a person with a browser that wants to be told.
create function notify_people(people uuid[], what text, about text, leads_to text, said jsonb)
  returns table(person uuid, notification bigint, is_pushed boolean) language plpgsql as $$
#variable_conflict use_column
declare
  actor text := current_setting('app.actor');
begin
  perform set_config('app.actor', 'system', true);
  return query
  with written as (
    insert into notifications as n (user_id, kind, thing, link, facts)
    select distinct u.id, what, about, leads_to, said from users u
    where u.id = any (people) and u.is_active
      and not exists (select from notification_choices c where c.user_id = u.id and what = any (c.silent))
    order by u.id
    on conflict (user_id, kind, thing) where read_at is null
    do update set count = n.count + 1, facts = excluded.facts, link = excluded.link, happened_at = excluded.happened_at
    returning n.user_id, n.id)
  select w.user_id, w.id, false from written w;
  perform set_config('app.actor', actor, true);
end $$;
