-- The tables of features/announcements with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- The readers of a revision that was published for a filter of customers or servers: those whom it found then, whoever it finds later.
create table announcement_chosen (
  announcement_id uuid not null,
  revision integer not null,
  user_id uuid not null,
  constraint announcement_chosen_pkey primary key (announcement_id, revision, user_id),
  constraint announcement_chosen_announcement_id_revision_fkey foreign key (announcement_id, revision) references announcement_revisions(announcement_id, revision),
  constraint announcement_chosen_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index announcement_chosen_of_user on announcement_chosen (user_id);
grant insert, select on announcement_chosen to hostdesk_app;
alter table announcement_chosen enable row level security;
alter table announcement_chosen force row level security;
create policy deleted_by_owner on announcement_chosen for delete using (actor_owns(user_id));
create policy inserted_by_owner on announcement_chosen for insert with check (actor_owns(user_id));
create policy readable on announcement_chosen for select using (true);
create policy updated_by_owner on announcement_chosen for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The mails that say that an incident or maintenance is over: one for each account that was mailed its beginning.
create table announcement_end_mails (
  announcement_id uuid not null,
  user_id uuid not null,
  constraint announcement_end_mails_pkey primary key (announcement_id, user_id),
  constraint announcement_end_mails_announcement_id_fkey foreign key (announcement_id) references announcements(id),
  constraint announcement_end_mails_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index announcement_end_mails_of_user on announcement_end_mails (user_id);
grant insert, select on announcement_end_mails to hostdesk_app;
alter table announcement_end_mails enable row level security;
alter table announcement_end_mails force row level security;
create policy deleted_by_owner on announcement_end_mails for delete using (actor_owns(user_id));
create policy inserted_by_owner on announcement_end_mails for insert with check (actor_owns(user_id));
create policy readable on announcement_end_mails for select using (true);
create policy updated_by_owner on announcement_end_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- One mail for each reader of a revision, however often the job runs.
create table announcement_mails (
  announcement_id uuid not null,
  revision integer not null,
  user_id uuid not null,
  constraint announcement_mails_pkey primary key (announcement_id, revision, user_id),
  constraint announcement_mails_announcement_id_revision_fkey foreign key (announcement_id, revision) references announcement_revisions(announcement_id, revision),
  constraint announcement_mails_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index announcement_mails_of_user on announcement_mails (user_id);
grant insert, select on announcement_mails to hostdesk_app;
alter table announcement_mails enable row level security;
alter table announcement_mails force row level security;
create policy deleted_by_owner on announcement_mails for delete using (actor_owns(user_id));
create policy inserted_by_owner on announcement_mails for insert with check (actor_owns(user_id));
create policy readable on announcement_mails for select using (true);
create policy updated_by_owner on announcement_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Published announcements are never changed, only followed by the next revision.
create table announcement_revisions (
  announcement_id uuid not null,
  revision integer not null,
  title jsonb not null,
  text jsonb not null,
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  scope jsonb not null,
  mail boolean not null,
  published_at timestamp(3) with time zone default now() not null,
  constraint announcement_revisions_pkey primary key (announcement_id, revision),
  constraint announcement_revisions_announcement_id_fkey foreign key (announcement_id) references announcements(id)
);
grant insert, select on announcement_revisions to hostdesk_app;
alter table announcement_revisions enable row level security;
alter table announcement_revisions force row level security;
create policy deleted_by_owner on announcement_revisions for delete using (actor_owns(announcement_id));
create policy inserted_by_owner on announcement_revisions for insert with check (actor_owns(announcement_id));
create policy readable on announcement_revisions for select using (true);
create policy updated_by_owner on announcement_revisions for update using (actor_owns(announcement_id)) with check (actor_owns(announcement_id));
create trigger announcement_revisions_are_append_only before delete or update on announcement_revisions for each row execute function refuse_change();
create trigger announcement_revisions_are_not_truncated before truncate on announcement_revisions for each statement execute function refuse_change();

-- Announcements as staff write them. Customers read the newest row of announcement_revisions.
create table announcements (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  -- By language: en, de, ru.
  title jsonb not null,
  text jsonb not null,
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  -- {"all": true}, {"plans": [slugs]} or {"hosts": [IPv4 addresses]}
  scope jsonb not null,
  mail boolean not null,
  status text default 'draft'::text not null,
  revision integer default 0 not null,
  by uuid,
  -- Whole milliseconds, which cursors hold.
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  ended_at timestamp(3) with time zone,
  resolution jsonb,
  version integer default 1 not null,
  constraint announcements_pkey primary key (id),
  constraint announcements_by_fkey foreign key (by) references users(id) on delete set null,
  constraint announcements_check check ((status = any (array['resolved'::text, 'cancelled'::text])) = (ended_at is not null)),
  constraint announcements_check1 check (status <> 'published'::text or revision > 0),
  constraint announcements_kind_check check (kind = any (array['maintenance'::text, 'incident'::text, 'news'::text])),
  constraint announcements_status_check check (status = any (array['draft'::text, 'published'::text, 'resolved'::text, 'cancelled'::text]))
);
create index announcements_by_author on announcements (by);
create index announcements_by_status on announcements (status, ended_at);
create index announcements_by_time on announcements (created_at, id);
grant insert, select, update on announcements to hostdesk_app;
alter table announcements enable row level security;
alter table announcements force row level security;
create policy deleted_by_owner on announcements for delete using (actor_owns(by));
create policy inserted_by_owner on announcements for insert with check (actor_owns(by));
create policy readable on announcements for select using (true);
create policy updated_by_owner on announcements for update using (actor_owns(by)) with check (actor_owns(by));
create trigger count_edit before update on announcements for each row execute function count_edit();

create view announcement_hosts with (security_invoker=true) as
 select user_id,
    ipv4,
    ( select l.plan
           from licence_at(h.id, now()) l(plan, plan_name, edition, term, price, net, currency, entitlements, ordered_at, starts_at, ends_at)
          where l.starts_at <= now() and l.ends_at > now()) as plan
   from hosts h
  where deleted_at is null;
grant select on announcement_hosts to hostdesk_app;

-- Everybody who can sign in, and the servers with the plan that runs, from the tables of their owners (decision 070).
create view announcement_readers with (security_invoker=true) as
 select id as user_id,
    email,
    locale,
    (exists ( select
           from email_addresses e
          where e.user_id = u.id and e.email = u.email and e.verified_at is not null)) as is_proven
   from users u
  where is_active and access <> 'locked'::text;
grant select on announcement_readers to hostdesk_app;
