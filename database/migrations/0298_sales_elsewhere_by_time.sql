-- outside a transaction
-- The sales to consumers elsewhere in the EU, which are summed up against the threshold at each sale.
create index concurrently invoices_elsewhere on invoices (issued_at) include (kind, vat_kind, currency, net)
  where vat_kind = 'oss' or below_threshold;
