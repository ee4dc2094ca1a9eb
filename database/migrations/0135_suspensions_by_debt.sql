-- outside a transaction
-- The suspensions that end with a debt. Owned by features/licences.
create index concurrently suspensions_of_debt on suspensions (debt_id) where debt_id is not null;
