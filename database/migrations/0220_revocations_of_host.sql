-- outside a transaction
create index concurrently revocations_by_sub on revocations (sub, before);
