-- outside a transaction
create index concurrently audit_by_ip on audit (ip, at, id) where ip is not null;
create index concurrently audit_with_origin on audit (at) where ip is not null;
