-- outside a transaction
-- Accounts that lost their only address (0184). Owned by foundation/server/session.
create index concurrently users_without_address on users (id) where email like '%@unproven.invalid';
