-- The tables of features/notifications with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- The kinds that a person does not want; without a row the bell shows all, and browsers are told of all but announcements.
create table notification_choices (
  user_id uuid not null,
  silent text[] default '{}'::text[] not null,
  unpushed text[] default '{announcement}'::text[] not null,
  constraint notification_choices_pkey primary key (user_id),
  constraint notification_choices_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint notification_choices_silent_check check (cardinality(silent) <= 20),
  constraint notification_choices_unpushed_check check (cardinality(unpushed) <= 20)
);
grant delete, insert, select, update on notification_choices to hostdesk_app;
alter table notification_choices enable row level security;
alter table notification_choices force row level security;
create policy deleted_by_owner on notification_choices for delete using (actor_owns(user_id));
create policy inserted_by_owner on notification_choices for insert with check (actor_owns(user_id));
create policy readable on notification_choices for select using (true);
create policy updated_by_owner on notification_choices for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- News that concern a person, as the bell shows them (docs/decisions/221). News of one kind about one thing are one row until it is read.
create table notifications (
  id bigint generated always as identity not null,
  user_id uuid not null,
  kind text not null,
  -- Such as `ticket:` and its id.
  thing text not null,
  -- The page that shows the thing, as a path.
  link text not null,
  -- The values of its sentence: numbers and names of the reader's own things, never words that somebody wrote.
  facts jsonb default '{}'::jsonb not null,
  count integer default 1 not null,
  -- Whole milliseconds, which cursors hold.
  happened_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  read_at timestamp with time zone,
  constraint notifications_pkey primary key (id),
  constraint notifications_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint notifications_kind_check check (kind = any (array['reply'::text, 'mention'::text, 'assigned'::text, 'alert'::text, 'approval'::text, 'payment'::text, 'announcement'::text])),
  constraint notifications_link_check check (length(link) <= 300),
  constraint notifications_thing_check check (length(thing) >= 1 and length(thing) <= 200)
);
create index notifications_by_age on notifications (happened_at);
create index notifications_newest on notifications (user_id, happened_at desc, id desc);
create unique index notifications_unread on notifications (user_id, kind, thing) where read_at is null;
grant delete, insert, select, update on notifications to hostdesk_app;
alter table notifications enable row level security;
alter table notifications force row level security;
create policy deleted_by_owner on notifications for delete using (actor_owns(user_id));
create policy inserted_by_owner on notifications for insert with check (actor_owns(user_id));
create policy readable on notifications for select using (true);
create policy updated_by_owner on notifications for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The pair of keys by which push services know this installation (RFC 8292), made at the first start.
create table push_keys (
  id smallint default 1 not null,
  public_key text not null,
  private_sealed text not null,
  made_at timestamp with time zone default now() not null,
  constraint push_keys_pkey primary key (id),
  constraint push_keys_id_check check (id = 1)
);
grant insert, select, update on push_keys to hostdesk_app;

-- Browsers that a person wants to be told in. A sign-out ends the session, and the row with it.
create table push_subscriptions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  session_id bigint not null,
  endpoint text not null,
  -- The keys of the browser (RFC 8291), base64url.
  p256dh text not null,
  auth text not null,
  created_at timestamp with time zone default now() not null,
  last_ok_at timestamp with time zone,
  constraint push_subscriptions_pkey primary key (id),
  constraint push_subscriptions_endpoint_key unique (endpoint),
  constraint push_subscriptions_session_id_fkey foreign key (session_id) references sessions(id) on delete cascade,
  constraint push_subscriptions_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint push_subscriptions_auth_check check (length(auth) <= 40),
  constraint push_subscriptions_endpoint_check check (length(endpoint) >= 1 and length(endpoint) <= 1000),
  constraint push_subscriptions_p256dh_check check (length(p256dh) <= 100)
);
create index push_subscriptions_of_session on push_subscriptions (session_id);
create index push_subscriptions_of_user on push_subscriptions (user_id);
grant delete, insert, select, update on push_subscriptions to hostdesk_app;
alter table push_subscriptions enable row level security;
alter table push_subscriptions force row level security;
create policy deleted_by_owner on push_subscriptions for delete using (actor_owns(user_id));
create policy inserted_by_owner on push_subscriptions for insert with check (actor_owns(user_id));
create policy readable on push_subscriptions for select using (true);
create policy updated_by_owner on push_subscriptions for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Writes what happened for several people, whoever acts: row-level security would refuse the rows of others.
-- `is_pushed` is true for a person with a browser that wants to be told of the kind.
create function notify_people(people uuid[], what text, about text, leads_to text, said jsonb)
 returns table(person uuid, notification bigint, is_pushed boolean)
 language plpgsql
as $$
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
  select w.user_id, w.id, exists (select from push_subscriptions s where s.user_id = w.user_id)
    and not what = any (coalesce((select c.unpushed from notification_choices c where c.user_id = w.user_id), '{announcement}'))
  from written w;
  perform set_config('app.actor', actor, true);
end $$;
