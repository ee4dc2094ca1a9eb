-- outside a transaction
-- Staff find a host by an address in its network.
create index concurrently hosts_by_ipv6 on hosts using gist (ipv6 inet_ops) where deleted_at is null and ipv6 is not null;
