-- A retired plan whose servers renew with another one: planned with notice, and undone until it counts.
create table plan_moves (
  id bigint generated always as identity primary key,
  from_plan text not null references plans,
  to_plan text not null references plans,
  -- The most that the first renewal with the other plan may cost, in minor units before VAT: what the mails say.
  net bigint not null,
  counts_from timestamptz not null,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  check (counts_from >= created_at + interval '720 hours')
);
create index plan_moves_of_plan on plan_moves (from_plan);
select allow_app('plan_moves', 'select, insert, update');

-- The servers whose owners were told, each once; `moved_at` is the time from which the server renews with the other plan.
create table plan_move_hosts (
  move_id bigint not null references plan_moves,
  host_id bigint not null references hosts on delete cascade,
  user_id uuid not null references users on delete cascade,
  told_at timestamptz not null default now(),
  moved_at timestamptz,
  primary key (move_id, host_id)
);
create index plan_move_hosts_waiting on plan_move_hosts (move_id) where moved_at is null;
create index plan_move_hosts_of_host on plan_move_hosts (host_id);
create index plan_move_hosts_of_user on plan_move_hosts (user_id);
select allow_app('plan_move_hosts', 'select, insert, update, delete');
select protect_rows('plan_move_hosts', 'user_id');
