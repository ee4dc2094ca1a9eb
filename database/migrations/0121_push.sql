-- Browsers that a person wants to be told in. A sign-out ends the session, and the row with it.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  session_id bigint not null references sessions on delete cascade,
  endpoint text not null unique check (length(endpoint) between 1 and 1000),
  -- The keys of the browser (RFC 8291), base64url.
  p256dh text not null check (length(p256dh) <= 100),
  auth text not null check (length(auth) <= 40),
  created_at timestamptz not null default now(),
  last_ok_at timestamptz
);
create index push_subscriptions_of_user on push_subscriptions (user_id);
create index push_subscriptions_of_session on push_subscriptions (session_id);
select allow_app('push_subscriptions', 'select, insert, update, delete');
select protect_rows('push_subscriptions', 'user_id');

-- The pair of keys by which push services know this installation (RFC 8292), made at the first start.
create table push_keys (
  id smallint primary key default 1 check (id = 1),
  public_key text not null,
  private_sealed text not null,
  made_at timestamptz not null default now()
);
select allow_app('push_keys', 'select, insert, update');

-- Writes what happened for several people, whoever acts: row-level security would refuse the rows of others.
-- `is_pushed` is true for a person with a browser that wants to be told of the kind.
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
  select w.user_id, w.id, exists (select from push_subscriptions s where s.user_id = w.user_id)
    and not what = any (coalesce((select c.unpushed from notification_choices c where c.user_id = w.user_id), '{announcement}'))
  from written w;
  perform set_config('app.actor', actor, true);
end $$;
