-- outside a transaction
-- A ticket without tags, or that does not sleep, has no entry in them and costs nothing more.
create index concurrently tickets_by_tag on tickets using gin (tags) where tags <> '{}';
create index concurrently tickets_snoozed on tickets (snoozed_at, user_id) where snoozed_at is not null;
-- The counts of the tabs, which leave out tickets that sleep.
create index concurrently tickets_awake on tickets (status, user_id) where status <> 'closed' and snoozed_at is null;
