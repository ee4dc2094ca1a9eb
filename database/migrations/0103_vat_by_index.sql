-- outside a transaction
-- The key of entries, with room for the side of VAT; and one split for each document, whatever is tried again.
create unique index concurrently entries_by_side on entries (transaction_id, of_customer, is_vat);
create unique index concurrently transactions_split_once on transactions (splits, splits_document) where splits is not null;
