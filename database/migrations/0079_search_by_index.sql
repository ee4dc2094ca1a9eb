-- outside a transaction
create index concurrently profiles_by_part_of_name on profiles using gin (parts_of(full_name(name, middle_name, surname)));
create index concurrently addresses_by_part on email_addresses using gin (parts_of(email)) where verified_at is not null;
create index concurrently tickets_open on tickets (status, user_id) where status <> 'closed';
create index concurrently tickets_open_of_assignee on tickets (assignee_id, id, staff_seq) where status <> 'closed';
