-- Until which day a member of staff is away, and what colleagues should know. A day that has passed says nothing any more.
create table desk_absences (
  staff_id uuid primary key references users on delete cascade,
  until date not null,
  note text not null check (length(note) <= 400)
);
select allow_app('desk_absences', 'select, insert, update, delete');
select protect_rows('desk_absences', 'staff_id');
