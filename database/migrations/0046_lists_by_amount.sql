-- outside a transaction
-- Staff sort transactions, documents and payments on statements by their amounts.
create index concurrently entries_by_amount on entries (amount, transaction_id) where of_customer;
create index concurrently invoices_by_signed_total on invoices ((case kind when 'credit_note' then -total else total end), id);
create index concurrently bank_lines_by_amount on bank_lines (state, amount, id);
