-- The amount that the charge of a saved method counts against a helper's limits until its order counts, and the grants that it counts against
-- (decision 231); null where it counts nothing. Minor units.
alter table checkouts add column counted bigint check (counted > 0),
  add column counted_grants uuid[] check (cardinality(counted_grants) > 0);
alter table checkouts add constraint checkouts_counted check ((counted is null) = (counted_grants is null));
select allow_app('checkouts', 'update (counted, counted_grants)');
