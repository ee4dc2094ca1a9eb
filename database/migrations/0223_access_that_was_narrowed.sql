-- Servers that a helper saw until the owner changed the grant: their keys may have been kept (docs/decisions/136). Owned by features/sharing.
create table narrowed_grants (
  grant_id uuid not null,
  owner_id uuid not null,
  -- Null if the grant was for all servers.
  host_id bigint,
  ended_at timestamptz not null default now(),
  foreign key (owner_id, grant_id) references account_grants (owner_id, id) on delete cascade
);
create index narrowed_grants_of_owner on narrowed_grants (owner_id, ended_at);
create index narrowed_grants_by_grant on narrowed_grants (grant_id);
create index narrowed_grants_by_age on narrowed_grants (ended_at);
select allow_app('narrowed_grants', 'select, insert, delete');
select protect_rows('narrowed_grants', 'owner_id');
