-- The references of 0163, beside readers and writers. Owned by features/hosts.
alter table paid_periods validate constraint paid_periods_follow_host;
alter table paid_periods validate constraint paid_periods_order_id_fkey;
alter table licensed_addresses validate constraint licensed_addresses_follow_host;
alter table licence_watches validate constraint licence_watches_follow_host;
alter table host_agents validate constraint host_agents_follow_host;
alter table licence_orders validate constraint licence_orders_host_id_fkey;
alter table tickets validate constraint tickets_host_id_fkey;
alter table revocations validate constraint revocations_reason_check;
