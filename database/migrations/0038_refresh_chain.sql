-- A refresh token names the one it replaced, so that a lost answer can be given again (decision 025). One successor each.
alter table refresh_tokens add column parent_hash bytea unique;
alter table refresh_tokens add column issued_at timestamptz not null default now();
create index sessions_by_start on sessions (created_at);
