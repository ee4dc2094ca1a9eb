-- outside a transaction
-- The key of entries, with room for the side that a spent gift comes from; and the gifts of customers at a moment. Owned by features/finance.
create unique index concurrently entries_by_side_and_gift on entries (transaction_id, of_customer, is_vat, is_gift);
create index concurrently entries_of_gifts on entries (created_at) include (currency, gift) where gift <> 0;
