-- outside a transaction
-- Periods of the release before that lack their plan: none soon. Owned by features/licences.
create index concurrently periods_to_fill on paid_periods (id) where plan is null;
