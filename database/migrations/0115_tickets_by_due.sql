-- outside a transaction
-- The late tickets, and how many are before another one.
create index concurrently tickets_due on tickets (due_at, id) where due_at is not null;
