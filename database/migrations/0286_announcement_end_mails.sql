-- The mails that say that an incident or maintenance is over: one for each account that was mailed its beginning.
create table announcement_end_mails (
  announcement_id uuid not null references announcements,
  user_id uuid not null references users on delete cascade,
  primary key (announcement_id, user_id)
);
create index announcement_end_mails_of_user on announcement_end_mails (user_id);
select allow_app('announcement_end_mails', 'select, insert');
select protect_rows('announcement_end_mails', 'user_id');
