-- outside a transaction
-- The audit of an account, the newest first: a page reads its entries and not all that the account has. Owned by foundation/server/audit.
create index concurrently audit_of_user_by_time on audit (user_id, at, id);
