-- The items of the set-up list that this installation does without.
create table setup_waived (
  item text primary key check (item ~ '^[a-z_]{1,40}$'),
  waived_at timestamptz not null default now()
);
select allow_app('setup_waived', 'select, insert, delete');
