-- outside a transaction
-- In place of one document a transaction. Owned by features/invoices.
create unique index concurrently invoices_by_version on invoices (transaction_id, kind, version);
drop index concurrently one_invoice_a_transaction;
