-- What a checkout of a helper has counted against the limits of their grants when its saved method was charged, before its order counts (decision
-- 231); null where nothing is counted, or no longer. Minor units.
alter table checkouts add column counted bigint check (counted > 0),
  add column counted_grants uuid[] check (cardinality(counted_grants) > 0);
alter table checkouts add constraint checkouts_counted check ((counted is null) = (counted_grants is null));
select allow_app('checkouts', 'update (counted, counted_grants)');
