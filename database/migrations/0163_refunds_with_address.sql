-- outside a transaction
-- The few refunds that keep an address, to erase it.
create index concurrently payouts_with_address on payouts (user_id, id) where address_sealed is not null;
