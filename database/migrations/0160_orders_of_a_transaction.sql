-- outside a transaction
-- One charge for the licences of many servers (docs/decisions/108): a server once in each. Owned by features/licences.
create unique index concurrently licence_orders_of_transaction on licence_orders (transaction_id, host_id);
