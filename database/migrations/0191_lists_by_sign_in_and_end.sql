-- outside a transaction
-- Staff sort customers by their last sign-in, and those who never signed in come last.
create index concurrently users_by_last_login on users (last_login_at, id) where last_login_at is not null;
-- Each sign-in wrote this one too. The release before finds the same without it, only more slowly.
drop index concurrently users_by_login;
-- Staff sort the servers of all customers by the end of their licences.
create index concurrently hosts_by_end on hosts (paid_until, id) where deleted_at is null and paid_until is not null;
