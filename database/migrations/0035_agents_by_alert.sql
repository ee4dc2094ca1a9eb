-- outside a transaction
create index concurrently host_agents_by_alert on host_agents (alert_at) where alert_at is not null;
