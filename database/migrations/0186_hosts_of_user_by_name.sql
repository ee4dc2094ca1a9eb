-- outside a transaction
-- The list of servers by name begins at the page instead of sorting thousands, and a search stops once the page is full. Owned by
-- features/hosts.
create index concurrently hosts_of_user_by_name on hosts (user_id, name collate people_order, id) where deleted_at is null;
