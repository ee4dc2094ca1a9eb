-- outside a transaction
create index concurrently jobs_waiting_by_class on jobs (class, run_at, id)
  where taken_by is null and attempts < max_attempts;
