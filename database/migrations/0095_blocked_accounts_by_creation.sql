-- outside a transaction
create index concurrently users_not_open on users (created_at, id) where access <> 'open';
