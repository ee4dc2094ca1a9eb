-- outside a transaction
-- The number of a customer's open tickets, beside each row of the list of customers. Owned by features/support/tickets.
create index concurrently tickets_open_of_customer on tickets (user_id) where status <> 'closed';
