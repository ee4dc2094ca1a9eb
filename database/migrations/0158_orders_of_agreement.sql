-- outside a transaction
-- What an agreement has paid in a month (0157). Owned by features/licences.
create index concurrently orders_of_agreement on licence_orders (agreement_id, ordered_at) where agreement_id is not null;
