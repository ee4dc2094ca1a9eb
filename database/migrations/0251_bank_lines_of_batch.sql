-- outside a transaction
create index concurrently bank_lines_of_batch on bank_lines (account_iban, booked_on, batch_amount) where batch_amount is not null;
