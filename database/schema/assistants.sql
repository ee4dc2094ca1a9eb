-- The tables of features/assistants with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Proposals of the assistants of an account, which its owner confirms or refuses (docs/decisions/180).
create table assistant_proposals (
  id uuid default gen_random_uuid() not null,
  owner_id uuid not null,
  -- The token by which the assistant proposed it. Ended tokens go, so that it refers to none.
  token_id uuid not null,
  -- The id of the call that a confirmation makes, with its address and its body.
  tool text not null,
  path text not null,
  input jsonb not null,
  proposed_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp with time zone not null,
  status text default 'proposed'::text not null,
  decided_at timestamp with time zone,
  -- The code by which the call was refused once its owner had confirmed it.
  failure text,
  done_at timestamp with time zone,
  tried_at timestamp with time zone,
  constraint assistant_proposals_pkey primary key (id),
  constraint assistant_proposals_owner_id_fkey foreign key (owner_id) references users(id) on delete cascade,
  constraint assistant_proposals_check check ((status = 'proposed'::text) = (decided_at is null)),
  constraint assistant_proposals_check1 check ((status = 'failed'::text) = (failure is not null)),
  constraint assistant_proposals_input_check check (length(input::text) <= 100000),
  constraint assistant_proposals_path_check check (length(path) <= 2000),
  constraint assistant_proposals_status_check check (status = any (array['proposed'::text, 'confirmed'::text, 'failed'::text, 'refused'::text, 'expired'::text])),
  constraint assistant_proposals_tool_check check (length(tool) <= 100)
);
create index assistant_proposals_due on assistant_proposals (expires_at) where status = 'proposed'::text;
create index assistant_proposals_of_owner on assistant_proposals (owner_id, proposed_at desc, id);
create unique index assistant_proposed_once on assistant_proposals (owner_id, tool, path, md5(input::text)) where status = 'proposed'::text;
grant delete, insert, select on assistant_proposals to hostdesk_app;
alter table assistant_proposals enable row level security;
alter table assistant_proposals force row level security;
create policy deleted_by_owner on assistant_proposals for delete using (actor_owns(owner_id));
create policy inserted_by_owner on assistant_proposals for insert with check (actor_owns(owner_id));
create policy readable on assistant_proposals for select using (true);
create policy updated_by_owner on assistant_proposals for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));
