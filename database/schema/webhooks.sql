-- The tables of features/webhooks with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- The last 50 attempts of each endpoint: a ring, written over from its beginning.
create table webhook_attempts (
  endpoint_id uuid not null,
  slot smallint not null,
  user_id uuid,
  number bigint not null,
  -- Null for a test, which is no event of the list.
  seq bigint,
  event_id text not null,
  type text not null,
  url text not null,
  at timestamp with time zone default now() not null,
  took_ms integer not null,
  signature text not null,
  -- The body of a test; that of an event is read from the list.
  body text,
  -- The answer, or the reason why there is none.
  status smallint,
  answer_headers jsonb,
  answer text,
  failure text,
  constraint webhook_attempts_pkey primary key (endpoint_id, slot),
  constraint webhook_attempts_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoints(id) on delete cascade,
  constraint webhook_attempts_check check ((status is null) <> (failure is null)),
  constraint webhook_attempts_slot_check check (slot >= 0 and slot <= 49)
);
grant delete, insert, select, update on webhook_attempts to hostdesk_app;
alter table webhook_attempts enable row level security;
alter table webhook_attempts force row level security;
create policy deleted_by_owner on webhook_attempts for delete using (actor_owns(user_id));
create policy inserted_by_owner on webhook_attempts for insert with check (actor_owns(user_id));
create policy readable on webhook_attempts for select using (true);
create policy updated_by_owner on webhook_attempts for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- Webhooks: endpoints that read account events with a cursor (docs/decisions/176). There is no row for a delivery.
create table webhook_endpoints (
  id uuid default gen_random_uuid() not null,
  -- Null for an endpoint of the operator, which reads the operator's list.
  user_id uuid,
  url text not null,
  description text default ''::text not null,
  -- The kinds and the servers (public ids) that it gets; all where the list is empty.
  types text[] default '{}'::text[] not null,
  host_ids text[] default '{}'::text[] not null,
  state text default 'enabled'::text not null,
  disabled_why text,
  secret_sealed text not null,
  -- The secret before, which signs too until it ends.
  old_secret_sealed text,
  old_secret_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  -- Counts the edits of its owner (rule 45).
  version integer default 1 not null,
  last_ok_at timestamp with time zone,
  failing_since timestamp with time zone,
  warned_at timestamp with time zone,
  -- Events that failed so often that others went on; the last hundred.
  skipped bigint[] default '{}'::bigint[] not null,
  -- When events were gone before they were delivered.
  missed_at timestamp with time zone,
  -- Counts all attempts; the last 50 are kept.
  attempts bigint default 0 not null,
  constraint webhook_endpoints_pkey primary key (id),
  constraint webhook_endpoints_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint webhook_endpoints_check check ((state = 'disabled'::text) = (disabled_why is not null)),
  constraint webhook_endpoints_check1 check ((old_secret_sealed is null) = (old_secret_until is null)),
  constraint webhook_endpoints_description_check check (length(description) <= 200),
  constraint webhook_endpoints_disabled_why_check check (disabled_why = any (array['gone'::text, 'failing'::text])),
  constraint webhook_endpoints_skipped_check check (cardinality(skipped) <= 100),
  constraint webhook_endpoints_state_check check (state = any (array['enabled'::text, 'paused'::text, 'disabled'::text])),
  constraint webhook_endpoints_url_check check (length(url) >= 1 and length(url) <= 2000)
);
create index webhook_endpoints_of_user on webhook_endpoints (user_id, created_at);
grant delete, insert, select, update on webhook_endpoints to hostdesk_app;
alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;
create policy deleted_by_owner on webhook_endpoints for delete using (actor_owns(user_id));
create policy inserted_by_owner on webhook_endpoints for insert with check (actor_owns(user_id));
create policy readable on webhook_endpoints for select using (true);
create policy updated_by_owner on webhook_endpoints for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The cursor of an endpoint. One of a customer has one lane, one of the operator has eight, by customer.
create table webhook_lanes (
  endpoint_id uuid not null,
  lane smallint not null,
  user_id uuid,
  -- The number of the last event that was delivered, skipped or passed over.
  seq bigint not null,
  -- The failed attempts of the next event.
  failures integer default 0 not null,
  first_failed_at timestamp with time zone,
  next_at timestamp with time zone default now() not null,
  -- The lease of the worker that delivers; it ends by itself.
  lease uuid,
  leased_until timestamp with time zone,
  constraint webhook_lanes_pkey primary key (endpoint_id, lane),
  constraint webhook_lanes_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoints(id) on delete cascade,
  constraint webhook_lanes_lane_check check (lane >= 0 and lane <= 7),
  constraint webhook_lanes_seq_check check (seq >= 0)
);
grant delete, insert, select, update on webhook_lanes to hostdesk_app;
alter table webhook_lanes enable row level security;
alter table webhook_lanes force row level security;
create policy deleted_by_owner on webhook_lanes for delete using (actor_owns(user_id));
create policy inserted_by_owner on webhook_lanes for insert with check (actor_owns(user_id));
create policy readable on webhook_lanes for select using (true);
create policy updated_by_owner on webhook_lanes for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- The lanes with an event to deliver now, of accounts that may sign in.
create view due_webhook_lanes as
 select l.endpoint_id,
    l.lane,
    l.next_at
   from webhook_lanes l
     join webhook_endpoints e on e.id = l.endpoint_id and e.state = 'enabled'::text
     join account_event_lists a on a.user_id = coalesce(e.user_id, '00000000-0000-0000-0000-000000000000'::uuid) and a.last_seq > l.seq
     left join users u on u.id = e.user_id
  where l.next_at <= now() and coalesce(l.leased_until <= now(), true) and (e.user_id is null or u.is_active and u.access <> 'locked'::text);
grant select on due_webhook_lanes to hostdesk_app;
