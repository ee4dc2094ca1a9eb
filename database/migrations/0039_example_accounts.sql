-- Accounts of the example people, whose passwords are in the README. Production refuses them (rule 39).
alter table users add column is_example boolean not null default false;
select set_config('app.actor', 'system', true);
-- Those that were made before this column. Nobody else can have an address at example.com (RFC 2606).
update users set is_example = true
  where email in ('anna@example.com', 'mikhail@example.com', 'olivia@example.com', 'jonas@example.com');
create index example_users on users (id) where is_example;
