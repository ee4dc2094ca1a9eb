-- outside a transaction
create index concurrently transactions_by_time on transactions (created_at, id) where splits is null;
create index concurrently transactions_by_type on transactions (type, created_at, id) where splits is null;
