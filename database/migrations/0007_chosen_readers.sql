-- The readers of a revision that was published for a filter of customers or servers: those whom it found then, whoever it finds later.
create table announcement_chosen (
  announcement_id uuid not null,
  revision integer not null,
  user_id uuid not null references users on delete cascade,
  foreign key (announcement_id, revision) references announcement_revisions (announcement_id, revision),
  primary key (announcement_id, revision, user_id)
);
create index announcement_chosen_of_user on announcement_chosen (user_id);
select allow_app('announcement_chosen', 'select, insert');
select protect_rows('announcement_chosen', 'user_id');
