-- The payment of a purchase has failed: its page says so, and offers another one.
alter table purchases add column failed_at timestamptz;
select allow_app('purchases', 'update (failed_at)');
