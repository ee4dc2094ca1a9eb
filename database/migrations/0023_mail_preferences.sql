-- Which mails somebody wants, one column for each kind. No row: all of them. Owned by features/profile.

create table mail_preferences (
  user_id uuid primary key references users on delete cascade,
  ticket_replies boolean not null default true,
  ticket_closing boolean not null default true,
  -- Of staff.
  new_tickets boolean not null default true
);
select allow_app('mail_preferences', 'select, insert, update, delete');
select protect_rows('mail_preferences', 'user_id');
