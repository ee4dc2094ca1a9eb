-- outside a transaction
-- Deferred income is read from the lines whose time reaches past a month. Owned by features/invoices.
create index concurrently invoice_lines_by_end on invoice_lines (ends_at) where ends_at is not null;
