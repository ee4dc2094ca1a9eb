-- What happened to a customer, for the live stream. Owned by foundation/server/realtime.
-- No row-level security: an act of one customer may be news to another.

-- The newest number of each customer's log. Its row is locked from the first event until the commit, so that numbers
-- become visible in their order and without holes. A reader's cursor over a plain sequence would jump over
-- numbers that are given out but not committed yet.
create table live_cursors (
  user_id uuid primary key,
  last_seq bigint not null
);
select allow_app('live_cursors', 'select, insert, update, delete');

create table live_events (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (user_id, seq)
);
create index live_events_by_age on live_events (created_at);
select allow_app('live_events', 'select, insert, update, delete');
