-- News that somebody gets as staff are for staff: who has lost the role is not sent what the log still holds of it.
alter table live_events add column staff_only boolean not null default false;

-- Each word in a ticket is told to all of the staff, who are few among many.
create index users_of_staff on users (id) where is_staff;
