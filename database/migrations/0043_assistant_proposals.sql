-- Proposals of the assistants of an account, which its owner confirms or refuses (docs/decisions/180).
create table assistant_proposals (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references users on delete cascade,
  -- The token by which the assistant proposed it. Ended tokens go, so that it refers to none.
  token_id uuid not null,
  -- The id of the call that a confirmation makes, with its address and its body.
  tool text not null check (length(tool) <= 100),
  path text not null check (length(path) <= 2000),
  input jsonb not null check (length(input::text) <= 100000),
  proposed_at timestamptz not null default date_trunc('milliseconds', now()),
  expires_at timestamptz not null,
  status text not null default 'proposed' check (status in ('proposed', 'confirmed', 'failed', 'refused', 'expired')),
  decided_at timestamptz,
  -- The code by which the call was refused once its owner had confirmed it.
  failure text,
  check ((status = 'proposed') = (decided_at is null)),
  check ((status = 'failed') = (failure is not null))
);
create index assistant_proposals_of_owner on assistant_proposals (owner_id, proposed_at desc, id);
create index assistant_proposals_due on assistant_proposals (expires_at) where status = 'proposed';
create unique index assistant_proposed_once on assistant_proposals (owner_id, tool, path, md5(input::text)) where status = 'proposed';
select allow_app('assistant_proposals', 'select, insert, update (status, decided_at, failure), delete');
select protect_rows('assistant_proposals', 'owner_id');
