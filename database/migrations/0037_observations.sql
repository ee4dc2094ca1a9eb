-- Things a running process noticed about its surroundings, for `hostdesk doctor`. Owned by foundation/server/operation.
create table observations (
  name text primary key,
  seen_at timestamptz not null default now()
);
select allow_app('observations', 'select, insert, update');
