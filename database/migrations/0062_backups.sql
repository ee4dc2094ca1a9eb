-- When backups were made, by whichever process: the age of the last one is a figure that is watched.

create table backups (
  id bigint generated always as identity primary key,
  made_at timestamptz not null,
  -- As the command or the settings named it, on the machine that wrote it.
  file text not null,
  row_count bigint not null,
  file_count bigint not null
);
create index backups_made_at on backups (made_at);
select allow_app('backups', 'select');
