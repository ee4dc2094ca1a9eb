-- outside a transaction
-- Payments by the parts of their searchable form. Owned by features/banking.
create index concurrently bank_lines_by_search_part on bank_lines using gin (search_parts_of(name || ' ' || iban || ' ' || text));
