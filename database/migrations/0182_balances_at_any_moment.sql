-- outside a transaction
-- Balances of customers at a moment are read from the index alone: the entries of one month. Owned by features/finance.
create index concurrently entries_of_customers_by_moment on entries (created_at) include (currency, amount, balance_after)
  where user_id is not null;
