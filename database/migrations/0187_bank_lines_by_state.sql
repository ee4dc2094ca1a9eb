-- outside a transaction
-- The list of payments by state, the newest first, whatever they match: booked ones are nearly all of them. Owned by features/banking.
create index concurrently bank_lines_by_state on bank_lines (state, booked_on, id);
