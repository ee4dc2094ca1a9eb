-- True if the method that paid must not be charged by itself any more. A dispute may be told before its payment, and says so only once.
alter table payment_events add column stops_method boolean not null default false;
