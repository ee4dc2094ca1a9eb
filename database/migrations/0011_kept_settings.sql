-- Settings that owners have changed on a page: they win over those of the environment. Each change of a section is a row; version 1 of a
-- section is what the environment says.
create table kept_settings (
  section text not null check (section ~ '^[a-z_]{1,40}$'),
  version integer not null check (version > 1),
  -- All that is kept of this section, by the names of the settings; a setting that is not in it is that of the environment.
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  -- The member who changed it; null for the command line.
  changed_by uuid references users,
  changed_at timestamptz not null default now(),
  primary key (section, version)
);
select allow_app('kept_settings', 'select, insert');
select append_only('kept_settings');
