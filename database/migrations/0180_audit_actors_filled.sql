-- The actor of the rows of before, in one statement: it waits for nobody and nobody waits for it, since such rows are only ever read.
-- A person named as `by` is staff who is it today or has become it at some time; the others helped or paid.
with members as materialized (
  select id from users where is_staff
  union
  select user_id from audit where act in ('staff.granted', 'staff.created', 'staff.accepted', 'staff.roles_changed', 'staff.revoked')),
named as (
  select a.id, a.act, a.user_id, a.ip, a.detail ->> 'by' as by, m.id is not null as is_member
  from audit a left join members m on m.id::text = a.detail ->> 'by'
  where a.actor_kind is null),
judged as (
  select id, case
      when by = 'command line' then 'cli'
      when by !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then 'system'
      when by = user_id::text then 'self'
      when by is not null then case when is_member then 'staff' else 'customer' end
      when act in ('login.refused', 'password.locked', 'code.refused', 'code.locked', 'passkey.refused') then 'stranger'
      when user_id is not null and ip is not null then 'self'
      else 'system' end as kind,
    coalesce(by, user_id::text) as who
  from named)
update audit a set actor_kind = j.kind, actor_id = case when j.kind in ('self', 'staff', 'customer') then j.who::uuid end
from judged j where j.id = a.id;
