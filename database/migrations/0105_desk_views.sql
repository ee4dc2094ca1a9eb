-- Filters of the staff's list of tickets that somebody gave a name: their own, or for all staff.
create table desk_views (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 120),
  filter jsonb not null check (jsonb_typeof(filter) = 'object'),
  shared boolean not null,
  -- The member who saved it last. Accounts are erased and not deleted, so a view of all staff stays when that member goes.
  author_id uuid not null references users on delete cascade,
  version integer not null default 1,
  created_at timestamptz not null default now()
);
create index desk_views_of_author on desk_views (author_id);
select allow_app('desk_views', 'select, insert, update, delete');
select protect_rows('desk_views', 'author_id');

create trigger count_edit before update on desk_views for each row
  when (old.* is distinct from new.*)
  execute function count_edit();
