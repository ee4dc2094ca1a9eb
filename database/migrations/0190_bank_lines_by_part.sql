-- outside a transaction
-- Payments of statements are found by a part of their name, account or text, as customers are, instead of reading all of a state. Owned
-- by features/banking.
create index concurrently bank_lines_by_part on bank_lines using gin (parts_of(name || ' ' || iban || ' ' || text));
