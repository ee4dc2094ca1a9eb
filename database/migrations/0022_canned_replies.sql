-- Words that staff say again and again, shared among them. Owned by features/staff.

create table canned_replies (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 200),
  text text not null check (length(text) between 1 and 40000),
  language text not null check (language in ('en', 'de', 'ru')),
  -- Who wrote it last; the reply stays when they go.
  author_id uuid references users on delete set null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index canned_replies_by_title on canned_replies (language, title);
select allow_app('canned_replies', 'select, insert, update, delete');
-- All of the staff write all of them, as the system: no customer's transaction reaches a row.
select protect_rows('canned_replies', 'author_id');
