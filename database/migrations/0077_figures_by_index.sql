-- outside a transaction
create index concurrently jobs_given_up on jobs (name) where taken_by is null and attempts >= max_attempts;
create index concurrently mails_dead on mails (created_at) where state = 'dead';
