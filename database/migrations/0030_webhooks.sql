-- Webhooks: endpoints that read account events with a cursor (docs/decisions/176). There is no row for a delivery.
create table webhook_endpoints (
  id uuid primary key default gen_random_uuid(),
  -- Null for an endpoint of the operator, which reads the operator's list.
  user_id uuid references users on delete cascade,
  url text not null check (length(url) between 1 and 2000),
  description text not null default '' check (length(description) <= 200),
  -- The kinds and the servers (public ids) that it gets; all where the list is empty.
  types text[] not null default '{}',
  host_ids text[] not null default '{}',
  state text not null default 'enabled' check (state in ('enabled', 'paused', 'disabled')),
  disabled_why text check (disabled_why in ('gone', 'failing')),
  check ((state = 'disabled') = (disabled_why is not null)),
  secret_sealed text not null,
  -- The secret before, which signs too until it ends.
  old_secret_sealed text,
  old_secret_until timestamptz,
  check ((old_secret_sealed is null) = (old_secret_until is null)),
  created_at timestamptz not null default now(),
  -- Counts the edits of its owner (rule 45).
  version integer not null default 1,
  last_ok_at timestamptz,
  failing_since timestamptz,
  warned_at timestamptz,
  -- Events that failed so often that others went on; the last hundred.
  skipped bigint[] not null default '{}' check (cardinality(skipped) <= 100),
  -- When events were gone before they were delivered.
  missed_at timestamptz,
  -- Counts all attempts; the last 50 are kept.
  attempts bigint not null default 0
);
create index webhook_endpoints_of_user on webhook_endpoints (user_id, created_at);
select allow_app('webhook_endpoints', 'select, insert, update, delete');
select protect_rows('webhook_endpoints', 'user_id');

-- The cursor of an endpoint. One of a customer has one lane, one of the operator has eight, by customer.
create table webhook_lanes (
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  lane smallint not null check (lane between 0 and 7),
  user_id uuid,
  -- The number of the last event that was delivered, skipped or passed over.
  seq bigint not null check (seq >= 0),
  -- The failed attempts of the next event.
  failures integer not null default 0,
  first_failed_at timestamptz,
  next_at timestamptz not null default now(),
  -- The lease of the worker that delivers; it ends by itself.
  lease uuid,
  leased_until timestamptz,
  primary key (endpoint_id, lane)
);
select allow_app('webhook_lanes', 'select, insert, update, delete');
select protect_rows('webhook_lanes', 'user_id');

-- The last 50 attempts of each endpoint: a ring, written over from its beginning.
create table webhook_attempts (
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  slot smallint not null check (slot between 0 and 49),
  user_id uuid,
  number bigint not null,
  -- Null for a test, which is no event of the list.
  seq bigint,
  event_id text not null,
  type text not null,
  url text not null,
  at timestamptz not null default now(),
  took_ms integer not null,
  signature text not null,
  -- The body of a test; that of an event is read from the list.
  body text,
  -- The answer, or the reason why there is none.
  status smallint,
  answer_headers jsonb,
  answer text,
  failure text,
  check ((status is null) <> (failure is null)),
  primary key (endpoint_id, slot)
);
select allow_app('webhook_attempts', 'select, insert, update, delete');
select protect_rows('webhook_attempts', 'user_id');

-- The lanes with an event to deliver now, of accounts that may sign in.
create view due_webhook_lanes as
  select l.endpoint_id, l.lane, l.next_at from webhook_lanes l
  join webhook_endpoints e on e.id = l.endpoint_id and e.state = 'enabled'
  join account_event_lists a on a.user_id = coalesce(e.user_id, '00000000-0000-0000-0000-000000000000') and a.last_seq > l.seq
  left join users u on u.id = e.user_id
  where l.next_at <= now() and coalesce(l.leased_until <= now(), true)
    and (e.user_id is null or (u.is_active and u.access <> 'locked'));
select allow_app('due_webhook_lanes', 'select');
