-- outside a transaction
create index concurrently audit_by_actor_id on audit (actor_id, at, id) where actor_id is not null;
