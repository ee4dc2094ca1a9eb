-- Accounts that members of staff look at as their customers see them. An open view is a row here; that there was one stays in the audit.
-- Owned by foundation/server/session.
create table view_sessions (
  id uuid primary key default gen_random_uuid(),
  member_id uuid not null references users on delete cascade,
  -- With the session ends the view: whoever takes rights away, or signs out, ends it without knowing of it.
  session_id bigint not null references sessions on delete cascade,
  customer_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check (member_id <> customer_id)
);
create index view_sessions_of_member on view_sessions (member_id);
create index view_sessions_of_session on view_sessions (session_id);
create index view_sessions_of_customer on view_sessions (customer_id);
select allow_app('view_sessions', 'select, insert, delete');
select protect_rows('view_sessions', 'member_id');
