-- A row names who gave a role to whom without a second owner (docs/decisions/135). Owned by foundation/server/approvals.
create table introductions (
  id bigint generated always as identity primary key,
  member_id uuid not null references users on delete cascade,
  by_id uuid not null references users on delete cascade,
  at timestamptz not null default now(),
  check (member_id <> by_id)
);
create index introductions_by_member on introductions (member_id, at);
create index introductions_by_author on introductions (by_id, at);
select allow_app('introductions', 'select, insert');

-- The time until which two members decide nothing of each other, because one brought the other in, or both were brought in by a third, within
-- 14 days; null where they may decide. Of several ways the one that holds longest counts, and each way ends with its first link.
create function introduced_until(one uuid, other uuid) returns timestamptz
language sql stable as $$
  with recursive reached (id, until) as (
    select one, 'infinity'::timestamptz
    union
    select case when i.by_id = r.id then i.member_id else i.by_id end, least(r.until, i.at + interval '14 days')
    from reached r join introductions i on r.id in (i.by_id, i.member_id)
    where i.at > now() - interval '14 days')
  select max(until) from reached where id = other and one <> other
$$;
