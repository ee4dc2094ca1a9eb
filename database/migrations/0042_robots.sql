-- Robots: members of staff that are no person, with tokens of their own and nothing to sign in with (docs/decisions/179).
alter table users
  add column kind text not null default 'person'
    constraint kind_is_known check (kind in ('person', 'robot')),
  add constraint robots_prove_nothing
    check (kind = 'person' or (not has_password and factors = '{}' and not 'owner' = any (staff_roles)));

create function keep_kind() returns trigger language plpgsql as $$
begin
  raise exception 'a person stays one, and a robot' using errcode = 'insufficient_privilege';
end $$;
create trigger keep_kind before update of kind on users for each row when (new.kind <> old.kind) execute function keep_kind();

create table robots (
  id uuid primary key references users on delete cascade,
  name text not null check (length(name) >= 1 and length(name) <= 100),
  -- Null where the command line made it.
  made_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index robots_of_maker on robots (made_by) where made_by is not null;
select allow_app('robots', 'select, insert, update (ended_at)');

create table robot_tokens (
  id uuid primary key default gen_random_uuid(),
  robot_id uuid not null references robots on delete cascade,
  name text not null check (length(name) >= 1 and length(name) <= 100),
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- The prefix and the last letters, by which the team knows the token again.
  hint text not null check (length(hint) <= 20),
  made_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Written once a minute at most.
  last_used_at timestamptz,
  last_used_ip inet,
  -- The days before its end of the last mail that warned; null while none did.
  warned_days smallint,
  ended_at timestamptz,
  ended_why text check (ended_why in ('owner', 'robot', 'leak', 'expired')),
  check ((ended_at is null) = (ended_why is null))
);
create index robot_tokens_of_robot on robot_tokens (robot_id, created_at);
create index robot_tokens_of_maker on robot_tokens (made_by) where made_by is not null;
select allow_app('robot_tokens', 'select, insert, update (last_used_at, last_used_ip, warned_days, ended_at, ended_why)');

-- Only the system writes them: the attack is a statement for a customer that names fields of its own choice.
alter table robots enable row level security;
alter table robots force row level security;
create policy readable on robots for select using (true);
create policy inserted_by_system on robots for insert with check (actor_owns(null::uuid));
create policy updated_by_system on robots for update using (actor_owns(null::uuid)) with check (actor_owns(null::uuid));
alter table robot_tokens enable row level security;
alter table robot_tokens force row level security;
create policy readable on robot_tokens for select using (true);
create policy inserted_by_system on robot_tokens for insert with check (actor_owns(null::uuid));
create policy updated_by_system on robot_tokens for update using (actor_owns(null::uuid)) with check (actor_owns(null::uuid));

-- Acts and things of people alone: a robot signs in nowhere, has no address, helps nobody, and never confirms what waits for a second member.
create function refuse_robot() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = (to_jsonb(new) ->> tg_argv[0])::uuid and kind = 'robot') then
    raise exception 'a robot is no person: %', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger no_robot before insert on sessions for each row execute function refuse_robot('user_id');
create trigger no_robot before insert on passwords for each row execute function refuse_robot('user_id');
create trigger no_robot before insert on email_addresses for each row execute function refuse_robot('user_id');
create trigger no_robot before insert on profiles for each row execute function refuse_robot('user_id');
create trigger no_robot before update of decided_by on approvals for each row execute function refuse_robot('decided_by');

-- The people who hold what a member holds: the member, or those who made a robot or a token of it. What a person may not do for
-- an account of their own, or may not confirm, their robot may not either.
create function people_behind(member uuid) returns setof uuid language sql stable as $$
  select member
  union select r.made_by from robots r where r.id = member and r.made_by is not null
  union select t.made_by from robot_tokens t where t.robot_id = member and t.made_by is not null
$$;

-- As before, and from the people behind a robot.
create or replace function introduced_until(one uuid, other uuid) returns timestamptz language sql stable as $$
  with recursive reached (id, until) as (
    select behind, 'infinity'::timestamptz from people_behind(one) behind
    union
    select case when i.by_id = r.id then i.member_id else i.by_id end, least(r.until, i.at + interval '14 days')
    from reached r join introductions i on r.id in (i.by_id, i.member_id)
    where i.at > now() - interval '14 days')
  select max(until) from reached where id = other and one <> other
$$;

-- As before, and the names of robots.
create or replace function token_names(ids uuid[]) returns table(id uuid, name text) language sql stable as $$
  select t.id, t.name from account_tokens t where t.id = any (ids)
  union all select r.id, r.name from robots r where r.id = any (ids)
$$;
