-- outside a transaction
-- The payments of a day, to find one that comes again in another form. Owned by features/banking.
create index concurrently bank_lines_by_day on bank_lines (account_iban, booked_on, amount);
