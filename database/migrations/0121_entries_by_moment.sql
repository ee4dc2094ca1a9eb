-- outside a transaction
-- What was booked since a closing. Owned by features/finance.
create index concurrently entries_by_moment on entries (created_at);
-- What ended in a month, and whether it went on. Owned by features/licences.
create index concurrently periods_by_end on paid_periods (ends_at, host_id) include (starts_at);
create index concurrently periods_by_start on paid_periods (host_id, starts_at) include (ends_at);
