-- Acts on several tickets that their author may still undo: of each ticket the fields that changed, before and after. A ticket that somebody
-- else has changed since is left alone. Rows go after an hour.
create table acts_to_undo (
  act_id uuid not null,
  ticket_id bigint not null references tickets on delete cascade,
  -- The member of staff who acted.
  staff_id uuid not null references users on delete cascade,
  before jsonb not null,
  after jsonb not null,
  created_at timestamptz not null default now(),
  primary key (act_id, ticket_id)
);
create index acts_to_undo_by_time on acts_to_undo (created_at);
create index acts_to_undo_of_ticket on acts_to_undo (ticket_id);
create index acts_to_undo_of_staff on acts_to_undo (staff_id);
select allow_app('acts_to_undo', 'select, insert, delete');
select protect_rows('acts_to_undo', 'staff_id');
