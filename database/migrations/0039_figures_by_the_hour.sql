-- The figures of a host in an hour, in the form of features/hosts/server/figures-row.ts, or in a day whose hours were folded into one row
-- (docs/decisions/178). Without a reference to hosts, which would lock the host's row with each writing. Only the system writes here.
create table host_figures (
  host_id bigint not null,
  starts_at timestamptz not null,
  is_day boolean not null,
  points bytea not null check (length(points) <= case when is_day then 1900 else 600 end),
  primary key (host_id, starts_at)
) with (fillfactor = 80);
create index host_figures_by_age on host_figures (is_day, starts_at);
select allow_app('host_figures', 'select, insert, update, delete');
