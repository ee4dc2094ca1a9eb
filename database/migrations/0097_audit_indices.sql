-- outside a transaction
create index concurrently audit_by_time on audit (at, id);
create index concurrently audit_by_act on audit (act, at, id);
create index concurrently audit_by_actor on audit ((detail->>'by'), at, id) where detail ? 'by';
