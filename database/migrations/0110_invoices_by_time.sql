-- outside a transaction
-- Lists of all customers' documents, newest first, by any one filter; the first also carries what sums need. Owned by features/invoices.
create index concurrently invoices_by_time on invoices (issued_at, id) include (kind, vat_kind, vat_country, currency, net, vat, total, keep_until);
create index concurrently credit_notes_by_time on invoices (issued_at, id) where kind = 'credit_note';
create index concurrently invoices_by_country on invoices (vat_country, issued_at, id);
create index concurrently invoices_by_vat_kind on invoices (vat_kind, issued_at, id);
