-- Announcements as staff write them. Customers read the newest row of announcement_revisions.
create table announcements (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('maintenance', 'incident', 'news')),
  -- By language: en, de, ru.
  title jsonb not null,
  text jsonb not null,
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  -- {"all": true}, {"plans": [slugs]} or {"hosts": [IPv4 addresses]}
  scope jsonb not null,
  mail boolean not null,
  status text not null default 'draft' check (status in ('draft', 'published', 'resolved', 'cancelled')),
  revision integer not null default 0,
  by uuid references users on delete set null,
  -- Whole milliseconds, which cursors hold.
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  ended_at timestamp(3) with time zone,
  resolution jsonb,
  version integer not null default 1,
  check ((status in ('resolved', 'cancelled')) = (ended_at is not null)),
  check (status <> 'published' or revision > 0)
);
create index announcements_by_author on announcements (by);
create index announcements_by_status on announcements (status, ended_at);
create index announcements_by_time on announcements (created_at, id);
select allow_app('announcements', 'select, insert, update');
select protect_rows('announcements', 'by');

create trigger count_edit before update on announcements for each row execute function count_edit();

-- The mails that say that an incident or maintenance is over: one for each account that was mailed its beginning.
create table announcement_end_mails (
  announcement_id uuid not null references announcements,
  user_id uuid not null references users on delete cascade,
  primary key (announcement_id, user_id)
);
create index announcement_end_mails_of_user on announcement_end_mails (user_id);
select allow_app('announcement_end_mails', 'select, insert');
select protect_rows('announcement_end_mails', 'user_id');

-- Published announcements are never changed, only followed by the next revision.
create table announcement_revisions (
  announcement_id uuid not null references announcements,
  revision integer not null,
  title jsonb not null,
  text jsonb not null,
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  scope jsonb not null,
  mail boolean not null,
  published_at timestamp(3) with time zone not null default now(),
  primary key (announcement_id, revision)
);
select allow_app('announcement_revisions', 'select, insert');
select protect_rows('announcement_revisions', 'announcement_id');

select append_only('announcement_revisions');

-- One mail for each reader of a revision, however often the job runs.
create table announcement_mails (
  announcement_id uuid not null,
  revision integer not null,
  user_id uuid not null references users on delete cascade,
  foreign key (announcement_id, revision) references announcement_revisions (announcement_id, revision),
  primary key (announcement_id, revision, user_id)
);
create index announcement_mails_of_user on announcement_mails (user_id);
select allow_app('announcement_mails', 'select, insert');
select protect_rows('announcement_mails', 'user_id');

-- Everybody who can sign in, and the servers with the plan that runs, from the tables of their owners (decision 070).
create view announcement_readers with (security_invoker) as
select u.id as user_id, u.email, u.locale,
  exists (select from email_addresses e where e.user_id = u.id and e.email = u.email and e.verified_at is not null) as is_proven
from users u where u.is_active and u.access <> 'locked';
select allow_app('announcement_readers', 'select');

create view announcement_hosts with (security_invoker) as
select h.user_id, h.ipv4, (
  select l.plan from licence_at(h.id, now()) l where l.starts_at <= now() and l.ends_at > now()) as plan
from hosts h
where h.deleted_at is null;
select allow_app('announcement_hosts', 'select');
